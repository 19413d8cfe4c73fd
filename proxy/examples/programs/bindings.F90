! Every function that is recorded, but for MPI_Init, MPI_Abort and MPI_Win_test, as Fortran calls it: by mpi_f08 (-DF08), by
! mpif.h (-DMPIF), or by the module mpi. All three make the same calls.
! mpirun -n 2 ./bindings FILE [messages|collectives|communicators|types|windows|files ...]
#ifdef F08
#define H(kind) type(kind)
#define STATUS_OF type(MPI_Status)
#define STATUSES_OF(n) type(MPI_Status), dimension(n)
#define MEMORY type(c_ptr)
#else
#define H(kind) integer
#define STATUS_OF integer, dimension(MPI_STATUS_SIZE)
#define STATUSES_OF(n) integer, dimension(MPI_STATUS_SIZE, n)
#define MEMORY integer(MPI_ADDRESS_KIND)
#endif
module calls
  use, intrinsic :: iso_c_binding
#ifdef F08
  use mpi_f08
#elif !defined(MPIF)
  use mpi
#endif
  implicit none
#ifdef MPIF
  include 'mpif.h'
#endif
  integer, parameter :: n = 8, room_bytes = 8192
  integer(MPI_ADDRESS_KIND), parameter :: nowhere = 0, word = 4
  integer, target :: a(n * 16), b(n * 16), c(n * 16)
  character :: room(room_bytes)
  integer :: me, ranks, left, right, err, wrong = 0
  H(MPI_Comm) :: world
  STATUS_OF :: status

contains

  subroutine expect(condition)
    logical, intent(in) :: condition
    if (.not. condition) wrong = wrong + 1
  end subroutine

  ! The memory behind what MPI gave.
  subroutine view(given, words)
    MEMORY, intent(in) :: given
    integer, pointer, intent(out) :: words(:)
    type(c_ptr) :: at
    at = transfer(given, at)
    call c_f_pointer(at, words, [n])
  end subroutine

#ifdef F08
  subroutine add_words(in, inout, length, datatype)
    type(c_ptr), value :: in, inout
    integer :: length
    type(MPI_Datatype) :: datatype
    integer, pointer :: from(:), to(:)
    call c_f_pointer(in, from, [length])
    call c_f_pointer(inout, to, [length])
    if (datatype == MPI_INTEGER) to = to + from
  end subroutine
#else
  subroutine add_words(in, inout, length, datatype)
    integer :: length, in(length), inout(length), datatype
    if (datatype == MPI_INTEGER) inout = inout + in
  end subroutine
#endif

  ! What polls ask is known beforehand, so that each run asks equally often.
  subroutine messages()
    H(MPI_Request) :: r(8)
    H(MPI_Message) :: message
    STATUSES_OF(8) :: statuses
    integer :: mode, bytes, at, found, which(1)
    integer(MPI_ADDRESS_KIND) :: place
    logical :: flag
#ifdef F08
    type(c_ptr) :: back
#endif
    call MPI_Buffer_attach(room, room_bytes, err)
    do mode = 1, 4
      a(1:n) = me + mode
      call MPI_Irecv(b, n, MPI_INTEGER, left, mode, world, r(1), err)
      call MPI_Barrier(world, err)
      if (mode == 1) call MPI_Send(a, n, MPI_INTEGER, right, mode, world, err)
      if (mode == 2) call MPI_Bsend(a, n, MPI_INTEGER, right, mode, world, err)
      if (mode == 3) call MPI_Ssend(a, n, MPI_INTEGER, right, mode, world, err)
      if (mode == 4) call MPI_Rsend(a, n, MPI_INTEGER, right, mode, world, err)
      call MPI_Wait(r(1), status, err)
      call expect(b(n) == left + mode)
    end do
    do mode = 1, 4
      call MPI_Irecv(b(n * mode + 1), n, MPI_INTEGER, left, mode, world, r(mode), err)
    end do
    call MPI_Barrier(world, err)
    call MPI_Isend(a, n, MPI_INTEGER, right, 1, world, r(5), err)
    call MPI_Ibsend(a, n, MPI_INTEGER, right, 2, world, r(6), err)
    call MPI_Issend(a, n, MPI_INTEGER, right, 3, world, r(7), err)
    call MPI_Irsend(a, n, MPI_INTEGER, right, 4, world, r(8), err)
    call MPI_Waitall(8, r, statuses, err)
    call expect(b(5 * n) == left + 4)
    call MPI_Send_init(a, n, MPI_INTEGER, right, 1, world, r(1), err)
    call MPI_Bsend_init(a, n, MPI_INTEGER, right, 2, world, r(2), err)
    call MPI_Ssend_init(a, n, MPI_INTEGER, right, 3, world, r(3), err)
    call MPI_Rsend_init(a, n, MPI_INTEGER, right, 4, world, r(4), err)
    do mode = 1, 4
      call MPI_Recv_init(b(n * mode + 1), n, MPI_INTEGER, left, mode, world, r(4 + mode), err)
    end do
    call MPI_Startall(4, r(5:8), err)
    call MPI_Barrier(world, err)
    do mode = 1, 4
      call MPI_Start(r(mode), err)
    end do
    call MPI_Waitall(8, r, MPI_STATUSES_IGNORE, err)
    do mode = 1, 8
      call MPI_Request_free(r(mode), err)
    end do
#ifdef F08
    call MPI_Buffer_detach(back, bytes, err)
#else
    call MPI_Buffer_detach(room, bytes, err)
#endif
    call expect(bytes == room_bytes)

    call MPI_Isend(a, n, MPI_INTEGER, MPI_PROC_NULL, 1, world, r(1), err)
    call MPI_Request_get_status(r(1), flag, status, err)
    call expect(flag)
    call MPI_Test(r(1), flag, MPI_STATUS_IGNORE, err)
    call expect(flag)
    do mode = 1, 2
      call MPI_Isend(a, n, MPI_INTEGER, MPI_PROC_NULL, 1, world, r(mode), err)
    end do
    call MPI_Testall(2, r, flag, statuses, err)
    call expect(flag)
    do mode = 1, 4
      call MPI_Isend(a, n, MPI_INTEGER, MPI_PROC_NULL, 1, world, r(1), err)
      if (mode == 1) call MPI_Testany(1, r, which(1), flag, status, err)
      if (mode == 2) call MPI_Waitany(1, r, which(1), status, err)
      if (mode == 3) call MPI_Testsome(1, r, found, which, statuses, err)
      if (mode == 4) call MPI_Waitsome(1, r, found, which, MPI_STATUSES_IGNORE, err)
    end do
    call expect(found == 1)

    call MPI_Isend(a, n, MPI_INTEGER, me, 1, world, r(1), err)
    call MPI_Isend(a, n, MPI_INTEGER, me, 1, world, r(2), err)
    call MPI_Isend(a, n, MPI_INTEGER, me, 1, world, r(3), err)
    call MPI_Probe(me, 1, world, status, err)
    call MPI_Iprobe(me, 1, world, flag, status, err)
    call expect(flag)
    call MPI_Improbe(me, 1, world, flag, message, status, err)
    call MPI_Imrecv(b, n, MPI_INTEGER, message, r(4), err)
    call MPI_Wait(r(4), MPI_STATUS_IGNORE, err)
    call MPI_Mprobe(me, 1, world, message, status, err)
    call MPI_Mrecv(b, n, MPI_INTEGER, message, status, err)
    call MPI_Recv(c, n, MPI_INTEGER, me, 1, world, MPI_STATUS_IGNORE, err)
    call MPI_Waitall(3, r, statuses, err)
    call expect(b(1) == me + 4 .and. c(1) == me + 4)
    call MPI_Sendrecv(a, n, MPI_INTEGER, right, 1, b, n, MPI_INTEGER, left, 1, world, status, err)
    call MPI_Sendrecv_replace(b, n, MPI_INTEGER, right, 1, left, 1, world, MPI_STATUS_IGNORE, err)
    call MPI_Irecv(c, n, MPI_INTEGER, left, 99, world, r(1), err)
    call MPI_Cancel(r(1), err)
    call MPI_Wait(r(1), status, err)

    at = 0
    call MPI_Pack(a, n, MPI_INTEGER, room, room_bytes, at, world, err)
    at = 0
    call MPI_Unpack(room, room_bytes, at, b, n, MPI_INTEGER, world, err)
    place = 0
    call MPI_Pack_external('external32', a, n, MPI_INTEGER, room, int(room_bytes, MPI_ADDRESS_KIND), place, err)
    place = 0
    call MPI_Unpack_external('external32', room, int(room_bytes, MPI_ADDRESS_KIND), place, c, n, MPI_INTEGER, err)
    call expect(b(n) == a(n) .and. c(n) == a(n))
  end subroutine

  subroutine collectives()
    H(MPI_Request) :: r
    H(MPI_Op) :: op
    H(MPI_Datatype) :: types(16)
    integer :: ones(16), places(16), offsets(16), i
    ones = 1
    types = MPI_INTEGER
    do i = 1, 16
      places(i) = i - 1
      offsets(i) = 4 * (i - 1)
    end do
    a = me
    call MPI_Op_create(add_words, .true., op, err)
    call MPI_Bcast(a, n, MPI_INTEGER, 0, world, err)
    call MPI_Gather(a, 1, MPI_INTEGER, b, 1, MPI_INTEGER, 0, world, err)
    call MPI_Gatherv(a, 1, MPI_INTEGER, b, ones, places, MPI_INTEGER, 0, world, err)
    call MPI_Scatter(b, 1, MPI_INTEGER, c, 1, MPI_INTEGER, 0, world, err)
    call MPI_Scatterv(b, ones, places, MPI_INTEGER, c, 1, MPI_INTEGER, 0, world, err)
    call MPI_Allgather(a, 1, MPI_INTEGER, b, 1, MPI_INTEGER, world, err)
    call MPI_Allgatherv(a, 1, MPI_INTEGER, b, ones, places, MPI_INTEGER, world, err)
    call MPI_Alltoall(a, 1, MPI_INTEGER, b, 1, MPI_INTEGER, world, err)
    call MPI_Alltoallv(a, ones, places, MPI_INTEGER, b, ones, places, MPI_INTEGER, world, err)
    call MPI_Alltoallw(a, ones, offsets, types, b, ones, offsets, types, world, err)
    a(1:n) = 1
    call MPI_Reduce(a, b, n, MPI_INTEGER, op, 0, world, err)
    call MPI_Allreduce(a, b, n, MPI_INTEGER, op, world, err)
    call expect(b(n) == ranks)
    call MPI_Allreduce(MPI_IN_PLACE, a, n, MPI_INTEGER, MPI_MAX, world, err)
    call MPI_Reduce_scatter(a, b, ones, MPI_INTEGER, MPI_SUM, world, err)
    call MPI_Reduce_scatter_block(a, b, 1, MPI_INTEGER, MPI_SUM, world, err)
    call MPI_Scan(a, b, n, MPI_INTEGER, MPI_SUM, world, err)
    call expect(b(1) == me + 1)
    call MPI_Exscan(a, b, n, MPI_INTEGER, MPI_SUM, world, err)
    call MPI_Reduce_local(a, b, n, MPI_INTEGER, op, err)
    call MPI_Op_free(op, err)

    call MPI_Ibarrier(world, r, err)
    call MPI_Wait(r, MPI_STATUS_IGNORE, err)
    call MPI_Ibcast(a, n, MPI_INTEGER, 0, world, r, err)
    call MPI_Wait(r, MPI_STATUS_IGNORE, err)
    call MPI_Igather(a, 1, MPI_INTEGER, b, 1, MPI_INTEGER, 0, world, r, err)
    call MPI_Wait(r, MPI_STATUS_IGNORE, err)
    call MPI_Igatherv(a, 1, MPI_INTEGER, b, ones, places, MPI_INTEGER, 0, world, r, err)
    call MPI_Wait(r, MPI_STATUS_IGNORE, err)
    call MPI_Iscatter(b, 1, MPI_INTEGER, c, 1, MPI_INTEGER, 0, world, r, err)
    call MPI_Wait(r, MPI_STATUS_IGNORE, err)
    call MPI_Iscatterv(b, ones, places, MPI_INTEGER, c, 1, MPI_INTEGER, 0, world, r, err)
    call MPI_Wait(r, MPI_STATUS_IGNORE, err)
    call MPI_Iallgather(a, 1, MPI_INTEGER, b, 1, MPI_INTEGER, world, r, err)
    call MPI_Wait(r, MPI_STATUS_IGNORE, err)
    call MPI_Iallgatherv(a, 1, MPI_INTEGER, b, ones, places, MPI_INTEGER, world, r, err)
    call MPI_Wait(r, MPI_STATUS_IGNORE, err)
    call MPI_Ialltoall(a, 1, MPI_INTEGER, b, 1, MPI_INTEGER, world, r, err)
    call MPI_Wait(r, MPI_STATUS_IGNORE, err)
    call MPI_Ialltoallv(a, ones, places, MPI_INTEGER, b, ones, places, MPI_INTEGER, world, r, err)
    call MPI_Wait(r, MPI_STATUS_IGNORE, err)
    call MPI_Ialltoallw(a, ones, offsets, types, b, ones, offsets, types, world, r, err)
    call MPI_Wait(r, MPI_STATUS_IGNORE, err)
    call MPI_Ireduce(a, b, n, MPI_INTEGER, MPI_SUM, 0, world, r, err)
    call MPI_Wait(r, MPI_STATUS_IGNORE, err)
    call MPI_Iallreduce(a, b, n, MPI_INTEGER, MPI_SUM, world, r, err)
    call MPI_Wait(r, MPI_STATUS_IGNORE, err)
    call MPI_Ireduce_scatter(a, b, ones, MPI_INTEGER, MPI_SUM, world, r, err)
    call MPI_Wait(r, MPI_STATUS_IGNORE, err)
    call MPI_Ireduce_scatter_block(a, b, 1, MPI_INTEGER, MPI_SUM, world, r, err)
    call MPI_Wait(r, MPI_STATUS_IGNORE, err)
    call MPI_Iscan(a, b, n, MPI_INTEGER, MPI_SUM, world, r, err)
    call MPI_Wait(r, MPI_STATUS_IGNORE, err)
    call MPI_Iexscan(a, b, n, MPI_INTEGER, MPI_SUM, world, r, err)
    call MPI_Wait(r, MPI_STATUS_IGNORE, err)
  end subroutine

  subroutine communicators()
    H(MPI_Comm) :: twin, made, half, between
    H(MPI_Group) :: all, some, others, both
    H(MPI_Info) :: info, again
    H(MPI_Request) :: r
    integer :: key, class, code, colour
    integer(MPI_ADDRESS_KIND) :: kept
    logical :: flag
    MEMORY :: given
    integer, pointer :: words(:)
    call MPI_Info_create(info, err)
    call MPI_Info_set(info, 'purpose', 'of bindings', err)
    call MPI_Info_set(info, 'more', 'words', err)
    call MPI_Info_delete(info, 'more', err)
    call MPI_Info_dup(info, again, err)
    call MPI_Comm_dup(world, twin, err)
    call MPI_Comm_set_info(twin, info, err)
    call MPI_Info_free(info, err)
    call MPI_Comm_get_info(twin, info, err)
    call MPI_Info_free(info, err)
    call MPI_Comm_set_errhandler(twin, MPI_ERRORS_RETURN, err)
    call MPI_Add_error_class(class, err)
    call MPI_Add_error_code(class, code, err)
    call MPI_Add_error_string(code, 'an error of its own', err)
    call MPI_Comm_call_errhandler(twin, code, err)
    call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, key, nowhere, err)
    call MPI_Comm_set_attr(twin, key, word, err)
    call MPI_Comm_dup(twin, made, err)
    call MPI_Comm_get_attr(made, key, kept, flag, err)
    call expect(flag .and. kept == word)
    call MPI_Comm_delete_attr(made, key, err)
    call MPI_Comm_disconnect(made, err)
    call MPI_Comm_free_keyval(key, err)
    call MPI_Comm_dup_with_info(twin, again, made, err)
    call MPI_Comm_free(made, err)
    call MPI_Comm_idup(twin, made, r, err)
    call MPI_Wait(r, MPI_STATUS_IGNORE, err)
    call MPI_Comm_free(made, err)
    call MPI_Comm_split_type(twin, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, made, err)
    call MPI_Comm_free(made, err)

    call MPI_Comm_group(twin, all, err)
    call MPI_Group_incl(all, 1, [0], some, err)
    call MPI_Group_excl(all, 1, [0], others, err)
    call MPI_Group_union(some, others, both, err)
    call MPI_Group_free(both, err)
    call MPI_Group_intersection(some, all, both, err)
    call MPI_Group_free(both, err)
    call MPI_Group_difference(all, some, both, err)
    call MPI_Group_free(both, err)
    call MPI_Group_range_incl(all, 1, reshape([0, ranks - 1, 2], [3, 1]), both, err)
    call MPI_Group_free(both, err)
    call MPI_Group_range_excl(all, 1, reshape([1, ranks - 1, 2], [3, 1]), both, err)
    call MPI_Comm_create(twin, both, made, err)
    if (modulo(me, 2) == 0) call MPI_Comm_free(made, err)
    if (modulo(me, 2) == 0) call MPI_Comm_create_group(twin, both, 5, made, err)
    if (modulo(me, 2) == 0) call MPI_Comm_free(made, err)
    call MPI_Group_free(both, err)
    call MPI_Group_free(others, err)
    call MPI_Group_free(some, err)
    call MPI_Group_free(all, err)

    colour = merge(0, 1, me == 0)
    call MPI_Comm_split(twin, colour, me, half, err)
    call MPI_Intercomm_create(half, 0, twin, 1 - colour, 6, between, err)
    call MPI_Comm_remote_group(between, others, err)
    call MPI_Group_free(others, err)
    call MPI_Intercomm_merge(between, colour == 1, made, err)
    call MPI_Comm_free(made, err)
    call MPI_Comm_free(between, err)
    call MPI_Comm_free(half, err)
    call MPI_Info_free(again, err)

    call MPI_Cart_create(twin, 1, [ranks], [.true.], .false., made, err)
    call neighbours(made, 2)
    call MPI_Cart_sub(made, [.true.], half, err)
    call MPI_Comm_free(half, err)
    call MPI_Comm_free(made, err)
    call MPI_Graph_create(twin, 2, [1, 2], [1, 0], .false., made, err)
    if (me < 2) call MPI_Comm_free(made, err)
    call MPI_Dist_graph_create_adjacent(twin, 1, [left], [1], 1, [right], [1], MPI_INFO_NULL, .false., made, err)
    call MPI_Comm_free(made, err)
    call MPI_Dist_graph_create(twin, 1, [me], [1], [right], [1], MPI_INFO_NULL, .false., made, err)
    call neighbours(made, 1)
    call MPI_Comm_free(made, err)
    call MPI_Comm_free(twin, err)

    call MPI_Alloc_mem(n * word, MPI_INFO_NULL, given, err)
    call view(given, words)
    words = me
    call MPI_Bcast(words, n, MPI_INTEGER, 0, world, err)
    call MPI_Free_mem(words, err)
  end subroutine

  subroutine neighbours(ring, degree)
    H(MPI_Comm), intent(in) :: ring
    integer, intent(in) :: degree
    H(MPI_Request) :: r
    H(MPI_Datatype) :: types(2)
    integer :: ones(2) = 1, places(2) = [0, 1]
    integer(MPI_ADDRESS_KIND) :: offsets(2) = [0, 4]
    types = MPI_INTEGER
    a(1:degree) = me
    call MPI_Neighbor_allgather(a, 1, MPI_INTEGER, b, 1, MPI_INTEGER, ring, err)
    call MPI_Neighbor_allgatherv(a, 1, MPI_INTEGER, b, ones, places, MPI_INTEGER, ring, err)
    call expect(b(1) == left)
    call MPI_Neighbor_alltoall(a, 1, MPI_INTEGER, b, 1, MPI_INTEGER, ring, err)
    call MPI_Neighbor_alltoallv(a, ones, places, MPI_INTEGER, b, ones, places, MPI_INTEGER, ring, err)
    call MPI_Ineighbor_allgather(a, 1, MPI_INTEGER, b, 1, MPI_INTEGER, ring, r, err)
    call MPI_Wait(r, MPI_STATUS_IGNORE, err)
    call MPI_Ineighbor_allgatherv(a, 1, MPI_INTEGER, b, ones, places, MPI_INTEGER, ring, r, err)
    call MPI_Wait(r, MPI_STATUS_IGNORE, err)
    call MPI_Ineighbor_alltoall(a, 1, MPI_INTEGER, b, 1, MPI_INTEGER, ring, r, err)
    call MPI_Wait(r, MPI_STATUS_IGNORE, err)
    call MPI_Ineighbor_alltoallv(a, ones, places, MPI_INTEGER, b, ones, places, MPI_INTEGER, ring, r, err)
    call MPI_Wait(r, MPI_STATUS_IGNORE, err)
#ifndef MPICH /* 4.0.2, whose mpi_f08 copies more types than there are neighbours */
    call MPI_Neighbor_alltoallw(a, ones, offsets, types, b, ones, offsets, types, ring, err)
    call MPI_Ineighbor_alltoallw(a, ones, offsets, types, b, ones, offsets, types, ring, r, err)
    call MPI_Wait(r, MPI_STATUS_IGNORE, err)
#endif
  end subroutine

  ! Sends one element of a datatype to the right, and frees it.
  subroutine use_up(datatype)
    H(MPI_Datatype), intent(inout) :: datatype
    call MPI_Type_commit(datatype, err)
    call MPI_Sendrecv(a, 1, datatype, right, 2, b, 1, datatype, left, 2, world, status, err)
    call MPI_Type_free(datatype, err)
  end subroutine

  subroutine types()
    H(MPI_Datatype) :: made, again, parts(2)
    integer(MPI_ADDRESS_KIND) :: offsets(2) = [0, 12], kept
    integer :: lengths(2) = [2, 1], places(2) = [0, 3], key
    logical :: flag
    call MPI_Type_contiguous(3, MPI_INTEGER, made, err)
    call use_up(made)
    call MPI_Type_vector(2, 1, 3, MPI_INTEGER, made, err)
    call use_up(made)
    call MPI_Type_create_hvector(2, 1, 3 * word, MPI_INTEGER, made, err)
    call use_up(made)
    call MPI_Type_indexed(2, lengths, places, MPI_INTEGER, made, err)
    call use_up(made)
    call MPI_Type_create_hindexed(2, lengths, offsets, MPI_INTEGER, made, err)
    call use_up(made)
    call MPI_Type_create_indexed_block(2, 1, places, MPI_INTEGER, made, err)
    call use_up(made)
    call MPI_Type_create_hindexed_block(2, 1, offsets, MPI_INTEGER, made, err)
    call use_up(made)
    parts(1) = MPI_INTEGER
    parts(2) = MPI_DOUBLE_PRECISION
    call MPI_Type_create_struct(2, lengths, offsets, parts, made, err)
    call MPI_Type_create_resized(made, nowhere, 8 * word, again, err)
    call MPI_Type_free(made, err)
    call MPI_Type_dup(again, made, err)
    call MPI_Type_free(again, err)
    call use_up(made)
    call MPI_Type_create_subarray(2, [4, 4], [2, 2], [1, 1], MPI_ORDER_FORTRAN, MPI_INTEGER, made, err)
    call use_up(made)
    call MPI_Type_create_darray(2, 0, 2, [4, 4], [MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC], &
                                [MPI_DISTRIBUTE_DFLT_DARG, 1], [2, 1], MPI_ORDER_C, MPI_INTEGER, made, err)
    call use_up(made)
    call MPI_Type_create_f90_integer(9, made, err)
    call MPI_Sendrecv(a, 1, made, right, 2, b, 1, made, left, 2, world, status, err)
    call MPI_Type_create_f90_real(15, 200, made, err)
    call MPI_Sendrecv(a, 1, made, right, 2, b, 1, made, left, 2, world, status, err)
    call MPI_Type_create_f90_complex(15, 200, made, err)
    call MPI_Sendrecv(a, 1, made, right, 2, b, 1, made, left, 2, world, status, err)
    call MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, key, nowhere, err)
    call MPI_Type_contiguous(2, MPI_INTEGER, made, err)
    call MPI_Type_set_attr(made, key, word, err)
    call MPI_Type_get_attr(made, key, kept, flag, err)
    call expect(flag .and. kept == word)
    call MPI_Type_delete_attr(made, key, err)
    call MPI_Type_free(made, err)
    call MPI_Type_free_keyval(key, err)
  end subroutine

  subroutine windows()
    H(MPI_Win) :: win
    H(MPI_Info) :: info
    H(MPI_Group) :: all, before, behind
    H(MPI_Request) :: r
    MEMORY :: given
    integer, pointer :: words(:)
    integer :: key, i, one(1) = 1
    integer(MPI_ADDRESS_KIND) :: kept, here, there(16)
    logical :: flag
    call MPI_Win_create(c, n * word, 4, MPI_INFO_NULL, world, win, err)
    call MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN, err)
    call MPI_Win_call_errhandler(win, MPI_ERR_OTHER, err)
    call MPI_Win_get_info(win, info, err)
    call MPI_Win_set_info(win, info, err)
    call MPI_Info_free(info, err)
    call MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, key, nowhere, err)
    call MPI_Win_set_attr(win, key, word, err)
    call MPI_Win_get_attr(win, key, kept, flag, err)
    call expect(flag .and. kept == word)
    call MPI_Win_delete_attr(win, key, err)
    call MPI_Win_free_keyval(key, err)
    a(1:n) = me
    c(1:n) = -1
    call MPI_Win_fence(0, win, err)
    call MPI_Put(a, 1, MPI_INTEGER, right, nowhere, 1, MPI_INTEGER, win, err)
    call MPI_Accumulate(a, 1, MPI_INTEGER, right, nowhere + 1, 1, MPI_INTEGER, MPI_SUM, win, err)
    call MPI_Win_fence(0, win, err)
    call expect(c(1) == left)
    call MPI_Get(b, 1, MPI_INTEGER, right, nowhere, 1, MPI_INTEGER, win, err)
    call MPI_Win_fence(0, win, err)
    call MPI_Win_get_group(win, all, err)
    call MPI_Group_incl(all, 1, [left], before, err)
    call MPI_Group_incl(all, 1, [right], behind, err)
    call MPI_Win_post(before, 0, win, err)
    call MPI_Win_start(behind, 0, win, err)
    call MPI_Put(a, 1, MPI_INTEGER, right, nowhere, 1, MPI_INTEGER, win, err)
    call MPI_Win_complete(win, err)
    call MPI_Win_wait(win, err)
    call MPI_Group_free(before, err)
    call MPI_Group_free(behind, err)
    call MPI_Group_free(all, err)
    call MPI_Win_lock(MPI_LOCK_SHARED, right, 0, win, err)
    call MPI_Get_accumulate(a, 1, MPI_INTEGER, b, 1, MPI_INTEGER, right, nowhere, 1, MPI_INTEGER, MPI_SUM, win, err)
    call MPI_Win_flush(right, win, err)
    call MPI_Fetch_and_op(a, b, MPI_INTEGER, right, nowhere, MPI_SUM, win, err)
    call MPI_Win_flush_local(right, win, err)
    call MPI_Compare_and_swap(a, c(n + 1), b, MPI_INTEGER, right, nowhere, win, err)
    call MPI_Win_unlock(right, win, err)
    call MPI_Win_lock_all(0, win, err)
    call MPI_Rput(a, 1, MPI_INTEGER, right, nowhere + 2, 1, MPI_INTEGER, win, r, err)
    call MPI_Wait(r, MPI_STATUS_IGNORE, err)
    call MPI_Rget(b, 1, MPI_INTEGER, right, nowhere + 2, 1, MPI_INTEGER, win, r, err)
    call MPI_Wait(r, MPI_STATUS_IGNORE, err)
    call MPI_Raccumulate(a, 1, MPI_INTEGER, right, nowhere + 3, 1, MPI_INTEGER, MPI_SUM, win, r, err)
    call MPI_Wait(r, MPI_STATUS_IGNORE, err)
    call MPI_Rget_accumulate(a, 1, MPI_INTEGER, b, 1, MPI_INTEGER, right, nowhere + 3, 1, MPI_INTEGER, MPI_SUM, win, r, err)
    call MPI_Wait(r, MPI_STATUS_IGNORE, err)
    call MPI_Win_flush_all(win, err)
    call MPI_Win_flush_local_all(win, err)
    call MPI_Win_sync(win, err)
    call MPI_Win_unlock_all(win, err)
    call MPI_Win_free(win, err)

    do i = 1, 2
      if (i == 1) call MPI_Win_allocate(n * word, 4, MPI_INFO_NULL, world, given, win, err)
      if (i == 2) call MPI_Win_allocate_shared(n * word, 4, MPI_INFO_NULL, world, given, win, err)
      call view(given, words)
      words = 0
      call MPI_Win_fence(0, win, err)
      call MPI_Put(a, 1, MPI_INTEGER, right, nowhere, 1, MPI_INTEGER, win, err)
      call MPI_Win_fence(0, win, err)
      call expect(words(1) == left)
      call MPI_Win_free(win, err)
    end do
    call MPI_Win_create_dynamic(MPI_INFO_NULL, world, win, err)
    call MPI_Win_attach(win, c, n * word, err)
    call MPI_Get_address(c, here, err)
    call MPI_Allgather(here, 1, MPI_AINT, there, 1, MPI_AINT, world, err)
    call MPI_Win_lock(MPI_LOCK_EXCLUSIVE, right, 0, win, err)
    call MPI_Put(one, 1, MPI_INTEGER, right, there(right + 1), 1, MPI_INTEGER, win, err)
    call MPI_Win_unlock(right, win, err)
    call MPI_Barrier(world, err)
    call MPI_Win_detach(win, c, err)
    call MPI_Win_free(win, err)
  end subroutine

  subroutine files(name)
    character(*), intent(in) :: name
    H(MPI_File) :: file
    H(MPI_Info) :: info
    H(MPI_Group) :: all
    H(MPI_Request) :: r
    integer(MPI_OFFSET_KIND) :: mine, start = 0, bytes
    integer :: i
    mine = me * n * 4
    bytes = ranks * n * 4
    call MPI_File_open(world, name, MPI_MODE_CREATE + MPI_MODE_RDWR, MPI_INFO_NULL, file, err)
    call MPI_File_set_errhandler(file, MPI_ERRORS_RETURN, err)
    call MPI_File_call_errhandler(file, MPI_ERR_OTHER, err)
    call MPI_File_get_info(file, info, err)
    call MPI_File_set_info(file, info, err)
    call MPI_Info_free(info, err)
    call MPI_File_get_group(file, all, err)
    call MPI_Group_free(all, err)
    call MPI_File_set_size(file, start, err)
    call MPI_File_preallocate(file, bytes, err)
    call MPI_File_set_atomicity(file, .false., err)
    call MPI_File_set_view(file, start, MPI_INTEGER, MPI_INTEGER, 'native', MPI_INFO_NULL, err)
    mine = me * n
    a(1:n) = me
    ! First all is written, since a file is to have what is read.
    call MPI_File_write_at(file, mine, a, n, MPI_INTEGER, status, err)
    call MPI_File_write_at_all(file, mine, a, n, MPI_INTEGER, status, err)
    call MPI_File_write_at_all_begin(file, mine, a, n, MPI_INTEGER, err)
    call MPI_File_write_at_all_end(file, a, status, err)
    call MPI_File_iwrite_at(file, mine, a, n, MPI_INTEGER, r, err)
    call MPI_Wait(r, status, err)
    call MPI_File_iwrite_at_all(file, mine, a, n, MPI_INTEGER, r, err)
    call MPI_Wait(r, status, err)
    do i = 1, 5
      call MPI_File_seek(file, mine, MPI_SEEK_SET, err)
      if (i == 1) call MPI_File_write(file, a, n, MPI_INTEGER, status, err)
      if (i == 2) call MPI_File_write_all(file, a, n, MPI_INTEGER, status, err)
      if (i == 3) call MPI_File_write_all_begin(file, a, n, MPI_INTEGER, err)
      if (i == 3) call MPI_File_write_all_end(file, a, status, err)
      if (i == 4) call MPI_File_iwrite(file, a, n, MPI_INTEGER, r, err)
      if (i == 5) call MPI_File_iwrite_all(file, a, n, MPI_INTEGER, r, err)
      if (i > 3) call MPI_Wait(r, status, err)
    end do
    do i = 1, 4
      call MPI_Barrier(world, err) ! nobody is to move the pointer behind the seek
      call MPI_File_seek_shared(file, start, MPI_SEEK_SET, err)
      if (i == 1) call MPI_File_write_shared(file, a, n, MPI_INTEGER, status, err)
      if (i == 2) call MPI_File_write_ordered(file, a, n, MPI_INTEGER, status, err)
      if (i == 3) call MPI_File_write_ordered_begin(file, a, n, MPI_INTEGER, err)
      if (i == 3) call MPI_File_write_ordered_end(file, a, status, err)
      if (i == 4) call MPI_File_iwrite_shared(file, a, n, MPI_INTEGER, r, err)
      if (i == 4) call MPI_Wait(r, status, err)
    end do
    call MPI_File_sync(file, err)
    call MPI_Barrier(world, err)
    call MPI_File_read_at(file, mine, b, n, MPI_INTEGER, status, err)
    call MPI_File_read_at_all(file, mine, b, n, MPI_INTEGER, status, err)
    call MPI_File_read_at_all_begin(file, mine, b, n, MPI_INTEGER, err)
    call MPI_File_read_at_all_end(file, b, status, err)
    call MPI_File_iread_at(file, mine, b, n, MPI_INTEGER, r, err)
    call MPI_Wait(r, status, err)
    call MPI_File_iread_at_all(file, mine, b, n, MPI_INTEGER, r, err)
    call MPI_Wait(r, status, err)
    do i = 1, 5
      call MPI_File_seek(file, mine, MPI_SEEK_SET, err)
      if (i == 1) call MPI_File_read(file, b, n, MPI_INTEGER, status, err)
      if (i == 2) call MPI_File_read_all(file, b, n, MPI_INTEGER, status, err)
      if (i == 3) call MPI_File_read_all_begin(file, b, n, MPI_INTEGER, err)
      if (i == 3) call MPI_File_read_all_end(file, b, status, err)
      if (i == 4) call MPI_File_iread(file, b, n, MPI_INTEGER, r, err)
      if (i == 5) call MPI_File_iread_all(file, b, n, MPI_INTEGER, r, err)
      if (i > 3) call MPI_Wait(r, status, err)
    end do
    do i = 1, 4
      call MPI_Barrier(world, err) ! nobody is to move the pointer behind the seek
      call MPI_File_seek_shared(file, start, MPI_SEEK_SET, err)
      if (i == 1) call MPI_File_read_shared(file, b, n, MPI_INTEGER, status, err)
      if (i == 2) call MPI_File_read_ordered(file, b, n, MPI_INTEGER, status, err)
      if (i == 3) call MPI_File_read_ordered_begin(file, b, n, MPI_INTEGER, err)
      if (i == 3) call MPI_File_read_ordered_end(file, b, status, err)
      if (i == 4) call MPI_File_iread_shared(file, b, n, MPI_INTEGER, r, err)
      if (i == 4) call MPI_Wait(r, status, err)
    end do
    call MPI_File_close(file, err)
    call MPI_Barrier(world, err)
    if (me == 0) call MPI_File_delete(name, MPI_INFO_NULL, err)
  end subroutine

end module

program bindings
  use calls
  implicit none
  character(256) :: name, part
  integer :: level, i, found
  call MPI_Init_thread(MPI_THREAD_FUNNELED, level, err)
  world = MPI_COMM_WORLD
  call MPI_Comm_rank(world, me, err)
  call MPI_Comm_size(world, ranks, err)
  left = modulo(me - 1, ranks)
  right = modulo(me + 1, ranks)
  call get_command_argument(1, name)
  do i = 2, command_argument_count()
    call get_command_argument(i, part)
    if (part == 'messages') call messages()
    if (part == 'collectives') call collectives()
    if (part == 'communicators') call communicators()
    if (part == 'types') call types()
    if (part == 'windows') call windows()
    if (part == 'files') call files(trim(name))
  end do
  call MPI_Allreduce(wrong, found, 1, MPI_INTEGER, MPI_SUM, world, err)
  if (me == 0) print '(a, i0, a)', 'bindings: ', found, ' wrong'
  call MPI_Finalize(err)
  if (found /= 0) stop 1
end program
