// The clock's formats, and programs whose output is a value.
global const string CLOCK_FMT_ISO8601 = "%Y-%m-%dT%H:%M:%S";
global const string CLOCK_FMT_RFC3339 = "%Y-%m-%d %H:%M:%S";
(string o, int exit_code) system(string command[]) {
  string r[] = _system(command);
  o = r[0];
  exit_code = string2int(r[1]);
}
(string o, int exit_code) system1(string command) {
  string r[] = _system1(command);
  o = r[0];
  exit_code = string2int(r[1]);
}
