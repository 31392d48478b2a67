<?php
// Write Shaarli's settings and its bookmarks, with its own classes. The first argument is the folder of the state.
$_SERVER['SCRIPT_NAME'] = '/index.php';
$_SERVER['SERVER_NAME'] = 'shaarli.real.example';
$_SERVER['REMOTE_ADDR'] = '127.0.0.1';
require_once 'application/bookmark/LinkUtils.php';
require_once 'application/http/HttpUtils.php';
require_once 'application/http/UrlUtils.php';
require_once 'application/Utils.php';
require_once 'autoload.php';

$conf = new Shaarli\Config\ConfigManager();
$settings = [
    'credentials.login' => 'keeper', 'credentials.salt' => 'salt', 'credentials.hash' => sha1('loopback'),
    'security.session_protection_disabled' => false, 'general.timezone' => 'UTC', 'general.title' => 'Research data links',
    'general.header_link' => '/', 'general.root_url' => 'http://shaarli.real.example/', 'privacy.default_private_links' => false, 'api.enabled' => false, 'api.secret' => 'x',
    'updates.check_updates' => false, 'thumbnails.mode' => 'none', 'general.links_per_page' => 20,
];
foreach ($settings as $name => $value) {
    $conf->set($name, $value);
}
$conf->write(true);
$mutex = new malkusch\lock\mutex\NoMutex();
(new Shaarli\Bookmark\BookmarkIO($conf, $mutex))->write(new Shaarli\Bookmark\BookmarkArray());
$history = new Shaarli\History($conf->get('resource.history'));
$service = new Shaarli\Bookmark\BookmarkFileService($conf, $history, $mutex, true);
$now = time();
foreach (file($argv[1] . '/bookmarks.jsonl') as $number => $line) {
    $record = json_decode($line, true);
    $bookmark = new Shaarli\Bookmark\Bookmark();
    $bookmark->setTitle($record['title'])->setUrl($record['url'])->setDescription($record['description']);
    $bookmark->setTagsString($record['tags']);
    $bookmark->setCreated((new DateTime())->setTimestamp($now - $number * 3600));
    $service->add($bookmark, false);
}
$service->save();
