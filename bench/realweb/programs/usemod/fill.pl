# Write pages with UseModWiki's own functions: SCRIPT FILMS
package UseModWiki;
use JSON::PP;
our ($BrowseCode, $OtherCode, $ConfigFile, $Now, %Text, %Section, %Page);
my ($script, $films) = @ARGV;
{ local $_ = 'nocgi'; do $script or die "$script: $! $@"; }
do $ConfigFile;
&InitLinkPatterns();
eval $BrowseCode;
@ARGV = ();
$ENV{REQUEST_METHOD} = 'GET';
$ENV{QUERY_STRING} = '';
$ENV{REMOTE_ADDR} = '127.0.0.1';
&InitRequest();
eval $OtherCode;

sub write_page {
    my ($title, $text) = @_;
    my $id = &FreeToNormal($title);
    &OpenPage($id);
    &OpenDefaultText();
    $Text{'text'} = $text;
    $Text{'minor'} = 0;
    $Text{'newauthor'} = 1;
    $Text{'summary'} = '';
    $Section{'host'} = 'desk.example';
    &SaveDefaultText();
    &SavePage();
    &WriteRcLog($id, '', 0, $Now, 1, '', 'desk.example');
}

my %decades;
my $json = JSON::PP->new->utf8(0);
open(my $lines, '<', $films) or die $!;
while (my $line = <$lines>) {
    my $film = $json->decode($line);
    my $decade = substr($film->{year}, 0, 3) . '0s';
    push @{$decades{$decade}}, "* [[$film->{title}]]\n";
    write_page($film->{title}, "$film->{extract}\n\n* '''Year''': $film->{year}\n* '''Cast''': $film->{cast}\n"
        . "* '''Genres''': $film->{genres}\n\nSee also [[Films of the $decade]].\n");
}
write_page("Films of the $_", join('', @{$decades{$_}})) for keys %decades;
write_page('HomePage', "Notes about films.\n\n" . join('', map { "* [[Films of the $_]]\n" } sort keys %decades));
