# The commands that fragments and packages call, on top of ::refrain::print and ::refrain::evaluate, which are ours.
namespace eval ::refrain {
    variable rank 0
    variable workers 1
    variable provided {turbine adlb c_utils}
}
namespace eval ::turbine {
    namespace export *
    variable WORK WORK
    variable CONTROL CONTROL
    variable LOCAL LOCAL
    variable mode WORK
}
namespace eval ::turbine::c {}
namespace eval ::adlb { namespace export * }
namespace eval ::c_utils { namespace export * }

# ---- what belongs to the run
rename ::package ::refrain::package
proc ::package {args} {
    if {[lindex $args 0] eq "require" && [lindex $args 1] in $::refrain::provided} { return 1.0 }
    uplevel 1 [list ::refrain::package {*}$args]
}
rename ::puts ::refrain::puts
proc ::puts {args} {
    set newline "\n"
    set words $args
    if {[lindex $words 0] eq "-nonewline"} {
        set newline ""
        set words [lrange $words 1 end]
    }
    if {[llength $words] == 1} { set words [list stdout {*}$words] }
    if {[llength $words] != 2 || [lindex $words 0] ne "stdout"} {
        return [uplevel 1 [list ::refrain::puts {*}$args]]
    }
    ::refrain::print "[lindex $words 1]$newline"
}
proc ::exit {args} {
    error "a function of Tcl called exit, which would end the run; let it return or raise an error"
}

# ---- facts
proc ::adlb::rank {args} { return $::refrain::rank }
proc ::adlb::comm_rank {args} { return $::refrain::rank }
proc ::adlb::comm_size {args} { return $::refrain::workers }
proc ::adlb::size {args} { return $::refrain::workers }
proc ::adlb::servers {} { return 1 }
proc ::turbine::turbine_workers {args} { return $::refrain::workers }
proc ::c_utils::hostname {} { info hostname }
proc ::turbine::local_file_path {file} { lindex $file 0 }
proc ::turbine::log {args} {}
proc ::turbine::debug {args} {}
proc ::turbine::spin {seconds} {
    set end [expr {[clock microseconds] + int($seconds * 1e6)}]
    while {[clock microseconds] < $end} {}
}
# of hooks: files to read from and to write to, each empty for that of the run, and a command
proc ::turbine::c::sync_exec {in out err args} {
    set in [expr {$in eq {} ? {<@stdin} : "<$in"}]
    set out [expr {$out eq {} ? {>@stdout} : ">$out"}]
    set err [expr {$err eq {} ? {2>@stderr} : "2>$err"}]
    exec {*}$args $in $out $err
    return
}
# persist ?exceptions_are_errors? code ?expression?
proc ::turbine::python {persist args} {
    if {[llength $args] == 3 || ([llength $args] == 2 && [lindex $args 0] in {0 1})} {
        set args [lrange $args 1 end]
    }
    lassign [list {*}$args repr(0)] code expression
    ::refrain::evaluate $persist $code $expression
}

# ---- the store of one call, for procedures that are given ids
namespace eval ::refrain {
    proc begin {} {
        variable value [dict create]  ;# what each id has
        variable open [dict create]   ;# containers that may get more elements
        variable rules {}
        variable last 0
    }
    begin

    proc new {kind} {
        variable value; variable open; variable last
        incr last
        if {$kind eq "container"} {
            dict set value $last {}
            dict set open $last 1
        }
        return $last
    }
    proc store {id what} {
        variable value
        if {[dict exists $value $id]} { error "the datum $id is stored a second time" }
        dict set value $id $what
        return 0
    }
    proc load {id} {
        variable value
        if {![dict exists $value $id]} { error "the datum $id has no value yet; wait for it by turbine::rule" }
        dict get $value $id
    }
    proc insert {id key what} {
        variable value
        if {[dict exists $value $id $key]} { error "the element $key of the datum $id is stored a second time" }
        dict set value $id $key $what
        return 0
    }
    proc element {id key} {
        variable value
        if {![dict exists $value $id $key]} { error "the datum $id has no element $key" }
        dict get $value $id $key
    }
    proc enumerated {id what {count all} {start 0}} {
        set all [load $id]
        if {$what eq "count"} { return [dict size $all] }
        set end [expr {$count eq "all" ? "end" : 2 * ($start + $count) - 1}]
        set part [lrange $all [expr {2 * $start}] $end]
        switch -- $what {
            dict { return $part }
            subscripts { return [dict keys $part] }
            members { return [dict values $part] }
        }
        error "enumerate takes subscripts, members, dict or count, not $what"
    }
    proc is_ready {ids} {
        variable value; variable open
        foreach id $ids { if {![dict exists $value $id] || [dict exists $open $id]} { return 0 } }
        return 1
    }
    proc run_rules {} {
        variable rules; variable open
        while {[llength $rules] != 0} {
            set waiting $rules
            set rules {}
            set ran 0
            foreach rule $waiting {
                if {[is_ready [lindex $rule 0]]} {
                    set ran 1
                    uplevel #0 [lindex $rule 1]
                } else {
                    lappend rules $rule
                }
            }
            if {$ran} { continue }
            if {[dict size $open] == 0} {
                error "a rule waits for data [lindex $rules 0 0] that nothing stores: [lindex $rules 0 1]"
            }
            set open [dict create]
        }
    }
    # outputs: a kind and a name each; inputs: a kind and a value each. Returns the values of the outputs.
    proc procedure {name outputs inputs} {
        variable value; variable open
        begin
        set outs {}
        set ins {}
        foreach {kind output} $outputs { lappend outs [new $kind] }
        foreach {kind input} $inputs {
            lappend ins [new scalar]
            store [lindex $ins end] $input
        }
        uplevel #0 [list $name $outs $ins]
        run_rules
        set results {}
        foreach {kind output} $outputs id $outs {
            if {$kind eq "void"} {
                lappend results {}
            } elseif {[dict exists $value $id]} {
                lappend results [dict get $value $id]
            } else {
                error "$name has not stored its output '$output'"
            }
        }
        return $results
    }
}
proc ::turbine::rule {inputs action args} { lappend ::refrain::rules [list $inputs $action] }
foreach type {integer float string boolean blob void file struct} {
    proc ::turbine::store_$type {id {value {}} args} { ::refrain::store $id $value }
    proc ::turbine::retrieve_$type {id args} { ::refrain::load $id }
    proc ::turbine::retrieve_decr_$type {id args} { ::refrain::load $id }
    proc ::turbine::allocate_$type {args} { ::refrain::new scalar }
    proc ::turbine::create_$type {id args} {}
}
proc ::turbine::allocate {args} { ::refrain::new [lindex $args end] }
proc ::turbine::allocate_container {args} { ::refrain::new container }
proc ::turbine::allocate_container2 {args} { ::refrain::new container }
proc ::turbine::literal {type value} { set id [::refrain::new scalar]; ::refrain::store $id $value; return $id }
proc ::turbine::container_insert {id key value args} { ::refrain::insert $id $key $value }
proc ::turbine::container_immediate_insert {id key value args} { ::refrain::insert $id $key $value }
proc ::turbine::container_lookup {id key args} { ::refrain::element $id $key }
proc ::turbine::container_list {id args} { ::refrain::enumerated $id subscripts }
proc ::turbine::container_size {id args} { ::refrain::enumerated $id count }
proc ::adlb::unique {args} { ::refrain::new scalar }
proc ::adlb::create {id args} {}
proc ::adlb::store {id type value args} { ::refrain::store $id $value }
proc ::adlb::retrieve {id args} { ::refrain::load $id }
proc ::adlb::retrieve_decr {id args} { ::refrain::load $id }
proc ::adlb::acquire_ref {id args} { ::refrain::load $id }
proc ::adlb::exists {id args} { ::refrain::is_ready $id }
proc ::adlb::insert {id key value args} { ::refrain::insert $id $key $value }
proc ::adlb::lookup {id key args} { ::refrain::element $id $key }
proc ::adlb::container_size {id args} { ::refrain::enumerated $id count }
proc ::adlb::enumerate {id what {count all} {start 0} args} { ::refrain::enumerated $id $what $count $start }
foreach which {read write} {
    foreach how {incr decr} {
        proc ::adlb::${which}_refcount_$how {id args} {}
        proc ::turbine::${which}_refcount_$how {id args} {}
    }
}
proc ::adlb::write_refcount_decr {id args} { dict unset ::refrain::open $id }
proc ::turbine::write_refcount_decr {id args} { dict unset ::refrain::open $id }
