// The clock's formats, and programs whose output is a value.
global const string CLOCK_FMT_ISO8601 = "%Y-%m-%dT%H:%M:%S";
global const string CLOCK_FMT_RFC3339 = "%Y-%m-%d %H:%M:%S";
(string o, int exit_code) system(string command[]) { o, exit_code = _result(_system(command)); }
(string o, int exit_code) system1(string command) { o, exit_code = _result(_system(command)); }
(string o, int exit_code) _result(string r[]) { o = r[0]; exit_code = string2int(r[1]); }
