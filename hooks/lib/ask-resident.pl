# Passes a hook's payload to the resident and prints its answer. No modules: loading one takes longer than asking.
# Arguments: folder of the resident, build of this program, time limit of the answer in seconds, route, the door and its
# arguments. If the resident does not answer, the door is started once more with the payload, and does the work itself.
use strict;
my ($folder, $build, $limit, $route, $door, @words) = @ARGV;
# Seconds within which the resident must respond.
my $patience = 0.25;
# Maximum size of the payload, as in the door itself.
my $most = 64 * 1024 * 1024;
my $payload = '';

# A hook that is asked to exit prints nothing, and that is no failure.
$SIG{$_} = sub { exit 0 } for qw(TERM INT HUP);
$SIG{PIPE} = 'IGNORE';
# Applies to every wait, including for a payload that never ends.
$SIG{ALRM} = sub { fall_back('empty') };
alarm $limit;

# True for a complete JSON object: a client may leave its end of the pipe open.
sub is_whole {
  return 0 unless $payload =~ /\}\s*\z/;
  (my $bare = $payload) =~ s/"(?:[^"\\]|\\.)*"//gs;
  return $bare !~ /"/ && ($bare =~ tr/{//) == ($bare =~ tr/}//);
}

# Starts the door again with the payload as its input.
sub fall_back {
  my ($way) = @_;
  # A pending alarm would survive exec.
  alarm 0;
  $SIG{$_} = 'DEFAULT' for qw(TERM INT HUP PIPE ALRM);
  pipe(my $read, my $write) or exit 0;
  my $writer = fork;
  if (defined $writer && $writer == 0) {
    close $_ for $read, *STDIN, *STDOUT, *STDERR;
    for (my $at = 0; $at < length $payload;) { $at += syswrite($write, $payload, 65536, $at) || exit }
    exit;
  }
  close $write;
  open(STDIN, '<&', $read) or exit 0;
  close $read;
  $ENV{GROUNDWORK_DOOR} = $way;
  exec { $door } $door, @words;
  exit 0;
}

# True for a path that only this user can access.
sub is_private {
  my ($path) = @_;
  my @found = lstat $path or return 0;
  return $found[4] == $> && !($found[2] & 077);
}

sub can {
  my ($socket, $what, $seconds) = @_;
  my $set = '';
  vec($set, fileno $socket, 1) = 1;
  return ($what eq 'read' ? select($set, undef, undef, $seconds) : select(undef, $set, undef, $seconds)) > 0;
}

# True if the last call failed only temporarily: EINTR is 4 everywhere, EAGAIN is not the same everywhere.
sub may_try_again { return $! == 4 || $! == ($^O eq 'linux' ? 11 : 35) }

# Returns a connection to the resident, if there is one of this build that belongs to this user.
sub reach {
  open(my $place, '<', "$folder/place") or return;
  chomp(my ($path, $theirs) = (scalar <$place>, scalar <$place>));
  return if !defined $theirs || $theirs ne $build || length $path > 103;
  (my $around = $path) =~ s{/[^/]*\z}{};
  return unless is_private($folder) && -d _ && is_private($around) && -d _ && is_private($path) && -S _;
  # AF_UNIX and SOCK_STREAM are 1 everywhere; BSD and macOS put the length of an address before its family.
  my $is_linux = $^O eq 'linux';
  socket(my $socket, 1, 1, 0) or return;
  # Non-blocking, as a frozen resident does not accept. F_GETFL and F_SETFL are 3 and 4 everywhere; O_NONBLOCK varies.
  fcntl($socket, 4, fcntl($socket, 3, 0) | ($is_linux ? 2048 : 4)) or return;
  connect($socket, $is_linux ? pack('S a108', 1, $path) : pack('C C a104', 106, 1, $path)) or return;
  return $socket;
}

# Returns the answer; nothing if the resident has none.
sub ask {
  my ($socket) = @_;
  my $variables = join '', map { "$_=$ENV{$_}\0" }
    grep { /^(?:(?:CI|GROUNDWORK|OTEL)_.*|HOME|PWD|PATH|XDG_CACHE_HOME|XDG_RUNTIME_DIR|TMPDIR|WORKING_DIRECTORY)\z/s } keys %ENV;
  my $size = length($variables) + 1 + length $payload;
  my $out = "POST /$route HTTP/1.1\r\nHost: groundwork\r\nX-Groundwork-Build: $build\r\nContent-Length: $size\r\n\r\n$variables\0$payload";
  while (length $out) {
    my $sent = syswrite($socket, $out);
    if ($sent) { substr($out, 0, $sent, '') }
    elsif (!may_try_again() || !can($socket, 'write', $patience)) { return }
  }
  my $in = '';
  # The first bytes show that the resident is alive; from then on the whole time limit applies.
  while (can($socket, 'read', $in eq '' ? $patience : $limit)) {
    my $got = sysread($socket, $in, 65536, length $in);
    next if defined $got ? $got > 0 : may_try_again();
    $in =~ s/\AHTTP\/1\.1 102 .*?\r\n\r\n//s;
    my ($head, $answer) = split /\r\n\r\n/, $in, 2;
    my ($length) = ($head // '') =~ /\AHTTP\/1\.1 200 .*\r\nContent-Length: (\d+)/is;
    return defined $length && length $answer == $length ? $answer : undef;
  }
  return;
}

# A status line waits only briefly for its payload.
sub has_more { return $route eq 'hook' || can(*STDIN, 'read', $patience) }
while (length $payload < $most && has_more() && sysread(STDIN, $payload, 65536, length $payload)) { last if is_whole() }
my $socket = reach();
my $answer = $socket && ask($socket);
fall_back(defined $answer ? 'empty' : 'node') unless defined $answer && $answer ne '';
alarm 0;
for (my $at = 0; $at < length $answer;) { $at += syswrite(STDOUT, $answer, 65536, $at) || last }
