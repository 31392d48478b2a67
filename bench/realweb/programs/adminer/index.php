<?php
// Adminer for everybody: the account is given, and the database is chosen, as its documentation shows.
$_GET += array("sqlite" => "", "username" => "", "db" => "gallery.sqlite");

function adminer_object() {
	class AdminerOpen extends Adminer {
		function name() {
			return "Gallery data";
		}

		function credentials() {
			return array("", "", "");
		}

		function login($login, $password) {
			return true;
		}
	}
	set_password("sqlite", "", "", "");
	return new AdminerOpen;
}

include "./adminer.php";
