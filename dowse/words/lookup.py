"""What words in and around forms are about, in many languages: the table, and the look-up of a word by its stem."""

from __future__ import annotations

import re

# --- lexicon
# What words in and around forms are about, in the languages people write them in.
#
# A concept is a list of stems: a word that begins with a stem is about the concept. `=word` must be
# the whole word, `*stem` may stand anywhere in a word (compounds, and scripts that leave no spaces).
# A word may be about several concepts. Words are in lower case. Within a concept the languages
# follow each other: en de fr es it pt nl pl ru ja, then the others.

CONCEPTS: dict[str, str] = {
    "search": """
        search *search find finder *finder =finds lookup query queries keyword keyphrase explore discover locat =seek =hunt
        =such suche suchbegr suchwort suchwör suchfeld suchmas suchergeb suchanfr suchform suchkrit suchopt suchfunk suchauftr
        suchdienst suchhilfe suchtext suchlauf suchprofil =sucht *tsuche *ensuche *lsuche *gsuche *hsuche *dsuche *ssuche *ksuche *bsuche
        *tesuche *lersuche *dersuche *hersuche *ursuche durchsuch durchforst durchstöber finden gefunden auffind nachschlag nachschau
        abfrag aufspür ausfindig ermitteln fahnd =spüren
        recherch cherch rechercher trouv retrouv interrog requête consult repér dénich fouill explor localis dépist quérir
        busc *busca búsqueda busqueda buscador encontr encuentr hallar localiz consulta rastre indaga averigu explorar ubicar
        cerca =cerco cercar =cerchi ricerc trova =trovi ritrov rintracci scova reperi rinven esplora individuare =individua indagin
        pesquis procura =procure =encontre =achar =ache vasculh
        zoek opzoek doorzoek terugzoek *tzoek *kzoek *szoek =vind =vinden =vindt =vinder opspor speur snuffel raadpleg naslaan
        szuk *szuk wyszuk znajd znaleź odnajd odnaleź odszuk poszuk przeszuk namierz wynajd
        поиск *поиск искат искомо ищ поищ найти найд разыск отыск сыскат подобр подбор прейск
        *検索 *探す *探し *探索 *調べ *さがす *さがし *しらべ *照会 *サーチ *見つけ *みつけ *抽出 *探そう *引ける
        sök *tsök *nsök *dsök genomsök eftersök =hitta =hittar =leta uppslag søg *tsøg *nsøg *dsøg gennemsøg eftersøg
        søk *tsøk *nsøk *dsøk gjennomsøk =finn =finne =finde oppslag slåop etsi *haku =hae =haku =haun hakusan hakukon hakuehto löyd
        hled vyhled najd najít nalez vyhľad hľad
        =keres keresé keresn keresi keresd keresh keresel keresend kereses kereső keresett *keresés *kereső =keressen talál kutat lekérdez
        =ara arama *arama arayın aranan aranacak =bul bulun bulma sorgu caută căut traži pretra търс пошук знайти шукат =leita
        αναζήτ εύρεση ψάξ بحث חיפוש tìm =cari pencarian
        *搜 *查询 *查詢 *查找 *查閱 *检索 *檢索 *寻找 *尋找 *검색 *찾기 *찾아 *조회 *탐색
    """,
    "browse": """
        browse filter refin =view show =list display result *results narrow peruse
        stöber anzeig zeig filtern *ergebnis einblend blätter durchblätter verfeiner eingrenz einschränk =ansehen anschau treffer auflist
        affich parcour filtr résultat resultat feuillet affiner visualis montrer restreind survol =voir
        =ver mostrar muestr resultad visualiz refinar acotar hojear navegar listar
        mostra filtra sfoglia risultat visualizz =affina raffina scorri =vedi =naviga
        exibi mostr =veja naveg folhe
        toon =tonen bladeren =blader doorblader bekijk weergev weergave resulta verfijn
        pokaż pokaz przegląd przejrz wyświetl wynik rezultat filtruj odfiltr zawęź zawęż =zobacz
        показать показыв =покажи фильтр отфильтр результат вывести =вывод просм отобра уточн листать сузить
        *表示 *絞り込 *絞込 *しぼり *一覧 *閲覧 *結果 *フィルタ *ブラウズ
        =vis =visar =vise bläddra gennemse =bla näytä selaa suodat tulok tulos zobraz procház výsled
        megjelen mutat böngész szűr találat göster görüntü süzgeç filtrele sonuç listele gözat
        *篩選 *筛选 *显示 *顯示 *浏览 *瀏覽 *结果 *查看 *檢視 *过滤 *過濾 *보기 *필터 *결과 *표시 *둘러
    """,
    "go": """
        =go =ok =submit =send =enter =start =los =weiter =absenden =abschicken =senden =schicken =starten =ausführen =übermitteln
        =allez =valider =envoyer =lancer =soumettre =démarrer =exécuter =continuer
        =ir =enviar =aceptar =ejecutar =iniciar =comenzar =empezar =continuar =adelante
        =vai =invia =inviare =inoltra =esegui =avvia =procedi =continua =conferma =submeter =executar =avançar =prosseguir
        =verstuur =versturen =verzend =verzenden =indienen =verder
        =wyślij =prześlij =zatwierdź =dalej =idź =przejdź =wykonaj =kontynuuj =uruchom
        =отправить =послать =вперёд =вперед =пуск =ок =далее =начать =перейти =готово =выполнить =запустить =поехали
        *送信 *実行 *決定 *確定 *開始 =次へ
        =skicka =sänd =fortsätt =videre =udfør =fortsett =lähetä =jatka =siirry =odeslat =spustit =pokračovat
        =küldés =elküld =tovább =mehet =gönder =devam =tamam
        =开始 =提交 =确定 =確定 =确认 =送出 =前往 =執行 =确 =확인 =전송 =보내기 =제출 =실행 =이동
    """,
    "site": """
        =site =sites websit *website homepage =web =pages portal intranet internal fulltext sitewide webpage sitesearch =searchsite =webs
        =seiten webseit *webseite *webseiten =unterseiten internetseit seitensuch seitenweit seiteninh seitenintern *auftritt *webpräsenz
        *internetpräsenz volltext =intern =interne =internen onlineangebot internetangebot webangebot onlinepräsenz
        portail interne webzine plateforme =sitio sitios sitioweb =páginas =paginas =portales interno interna =sede
        =sito =siti =pagine sitoweb portale =sítio sítios webpagina internetpagina thuispagina homepagina webstek portaal
        =stronie =stron =stronach =stronę =strony podstron witryn serwis wewnętrz =witrynie
        сайт *сайт вебсайт страниц портал внутренн полнотекст =серверу =сервере =сервера домашн
        *サイト *ホームページ *全文 *ウェブ内 *ウェブページ *ウェブ全体 *web内 *ポータル *ページ内 *全ページ *ページから *ｈｐ内 *hp内
        =sidor =sidan =sidorna webbplats *webbplats webbsid sajt hemsid nettsted nettsid hjemmesid websted webside netsted =sider =sitet =sidene
        sivust =sivut =sivuilta =sivuja verkkosiv kotisiv stránk stránek webu webov oldal honlap weboldal webhely portál
        *sitesi sitede siteyi sitemiz sitenin
        *站内 *站內 *本站 *网站 *網站 *全站 *站点 *站點 *主页 *主頁 *网页 *網頁 *门户 *사이트 *홈페이지 *누리집 *포털 *웹페이지
    """,
    "page": """
        =page =seite *seite =página =pagina =strona =stronę =stronie =strony страниц *ページ =sida =sidan sivun sivul =sivu stránk
        =oldal =oldalon sayfa *页面 *頁面 *本页 *本頁 *페이지
    """,
    "this": """
        =this =these =our =diese =dieser =diesen =diesem =dieses =unsere =unseren =unser =unserer =unserem =unseres =ce =cet =cette =ces
        =nos =notre =este =esta =estas =estos =nuestro =nuestra =nuestras =nuestros =questo =questa =queste =questi =nostra =nostre =nostro
        =nostri =deste =desta =neste =nesta =nosso =nossa =nossos =nossas =deze =onze =tej =tym =tych =tę =nasz =nasze =naszej =naszych
        =naszym =naszą =этот =эта =это =эту =этом =этой =этих =этого =наш =наша =наше =наших =нашем =нашей =нашего =данном =данной
        *この *当サイト *当館 *当社 *当店 *当院 *当会 *当ページ *当ホーム *当データ *当協会 *本サイト *本ページ *本データ *本システム *本館 *弊社 *私たち
        =denna =detta =vår =våra =vårt =denne =dette =vores =våre =tämä =tämän =tällä =tältä =tato =tento =této =tomto =těchto =naše =našem =naší
        =ezen =ebben *此 *这个 *這個 *我们 *我們 *本网 *本網 *本站 *本馆 *우리 *당사이트 *본사이트
    """,
    "catalogue": """
        catalog inventor listing database databank dataset directory archive archiv collection registr =register index repositor librar holdings
        bibliograph glossar =records =opac thesaur gazetteer compendi dictionar =roster repertor
        =list =liste =lista =listado lists overview glance atoz
        katalog *katalog verzeichnis *verzeichnis datenbank *datenbank bestand *bestand bestände *bestände sammlung *sammlung kartei *kartei
        *archiv register *register fundus *bibliothek mediathek büchere inventar findbuch matrikel lexikon *lexikon wörterbuch *wörterbuch
        datensatz datensätze nachschlagewerk aufstellung zusammenstellung übersicht *übersicht panorama gesamtliste
        annuaire répertoire repertoire fichier fonds recueil données inventaire registre bibliothè bibliothe médiathè dépôt référentiel
        dictionnaire lexique glossaire aperçu sommaire
        catálogo catàleg =bases archivo fichero coleccion colección coleccio acervo directorio índice banco datos biblioteca hemeroteca
        inventari repositorio diccionario tesauro glosario fondos padrón nomenclátor
        catalogo elenco =elenchi archivi raccolt banca =banche schedari =schede repertorio indice panoramica dati collezion bibliotec emerotec
        annuari dizionari anagraf rubrica prontuario
        catálog arquivo diretório directóri coleç colecç dados inventári repositóri dicionári =relação
        catalogus gegevens verzamel archief archiev =collectie =collecties =lijst =lijsten overzicht inventaris naslag woordenboek =gids
        kartotek =baza =bazę =bazą =bazy =bazie =baz =bazach danych =spis =spisu =spisie =spisy zbiór zbior zbiory rejestr archiwum archiwa
        wykaz bibliote kolekcj indeks skorowidz inwentarz zasob zasób repozytor słownik leksykon ewidencj zestawien informator =listę =liście
        каталог =база =базе =базы =базу =базой =баз =базам =базах картотек архив реестр справочник собрани коллекц перечен перечн указател данных список
        списк обзор библиотек индекс репозитор хранилищ словар энциклопед сборник номенклатур фонд =бд ведомост
        *総覧 *案内 *データベース *目録 *カタログ *一覧 *名簿 *名鑑 *図書館 *アーカイブ *台帳 *索引 *所蔵 *蔵書 *辞典 *事典 *辞書 *図鑑 *便覧 *年鑑
        *文庫 *コレクション *リポジトリ *ライブラリ *ディレクトリ *インデックス *リスト *資料
        databas samling arkiv förteckning fortegnelse bibliotek översikt oversigt oversikt luettelo tietokan arkisto kokoelm hakemist kirjasto
        databáz sbírk seznam knihovn rejstřík přehled slovník adatbázis gyűjtemény katalóg archív könyvtár jegyzék =adattár nyilvántart
        veritaban arşiv koleksiyon dizin kütüphane =listesi
        *数据库 *數據庫 *資料庫 *目录 *目錄 *库 *館藏 *馆藏 *典藏 *名录 *名錄 *图书馆 *圖書館 *词典 *辭典 *字典 *清单 *清單 *列表 *一览 *收藏
        *데이터베이스 *목록 *카탈로그 *자료실 *도서관 *색인 *소장 *아카이브 *사전 *컬렉션 *디렉토리 *라이브러리
    """,
    "query": """
        query queries enquir inquir abfrag anfrag suchanfr interrog requête requete consult consulta interroga zoekopdracht zoekvraag
        zapyt kwerend запрос *照会 *クエリ *検索式 *問い合わせフォーム forespørg spørring kysely dotaz lekérdez sorgu *查询 *查詢 *질의 *쿼리 *조회
    """,
    "word": """
        word keyword term phrase text *begriff *begriffe wort wörter stichw schlagw suchwort suchwör suchtext titelwort *freitext *wörter
        zeichenfolge zeichenkette ausdruck =mot =mots motcl terme texte clé =clef =clefs expression vocable intitulé
        palabra término texto frase expresi cadena vocablo clave parola parole termine testo frasi espression vocabol chiave
        palavra =termo =termos expressão =chave woord trefwoord zoekwoord sleutelwoord zoekterm tekst steekwoord
        słow wyraz hasło =fraza =frazę =frazy kluczow слов фраз текст термин выражен ключев
        *キーワード *単語 *検索語 *用語 *語句 *索引語 *見出し語 *言葉 *ことば *フレーズ *フリーワード *テキスト *文字列 *文言 *字句
        =ord sökord nyckelord =begrepp sökterm =fras søgeord søkeord nøgleord nøkkelord =sana =sanat hakusan avainsan =slovo =slova klíčov výraz
        =szó szavak kulcssz kifejez szöveg kelime sözcük terim metin anahtar
        *关键 *關鍵 *词 *詞 *文字 *文本 *短语 *단어 *키워드 *검색어 *문구 *텍스트
    """,
    "field": """
        field anywhere fulltext contain containing includ begin
        =überall felder *feldern =feld =feldes suchfeld datenfeld beliebig enthält enthalt beginnt
        =champ =champs contient contenant partout campo cualquier contien conteng empiece campi qualsiasi contenent
        qualunque qualquer contém contenha veld velden bevat =overal willekeurig
        =pole =pola =pól =polu =polach zawier dowoln wszędzie =поле =поля =полей =полю =полях =полям содерж =любой =любое =любом =любого =любых везде
        *項目 *フィールド *含む *含ま *いずれか *から始
        fält =felt feltet felter innehåll indehold innehold kentt sisält kdekoli mező tartalmaz bármely alanlar içeren
        *字段 *欄位 *栏位 *任意 *任何 *包含 *필드 *항목 *포함
    """,
    "login": """
        login *login logon signin signon loginname username userid *username userpass =user =users authenticat credential
        anmeld *anmeldung einlogg *anmelden benutzername kennung benutzer nutzername zugangsdaten =zugang mitgliederbereich kundenbereich
        connexion connect identifi =pseudo authentif utilisateur sesión sesion =acceder =accede =acceso usuario =ingresar =ingrese autentic
        =accedi =accedere accesso =entra utente utenti credenzial =entrar =acessar =acesso =aceder utilizador usuári
        inlog inlogg aanmeld gebruiker gebruikersnaam zalog logowan loguj użytkownik uwierzyteln
        *войти вход *вход авториз логин пользовател аутентиф войдите
        *ログイン *ログオン *サインイン *サインオン *会員id *会員番号 *利用者番号 *利用者id *ユーザー *ユーザ名 *マイページ
        logga användarnamn =logge innlogg pålogg brugernavn brukernavn =logind kirjaudu käyttäjä přihlá prihlás uživatel
        bejelentkez belép felhasználó giriş oturum kullanıcı
        *登录 *登入 *登錄 *登陆 *用户名 *用戶名 *使用者 *账号 *帳號 *로그인 *아이디 *사용자
    """,
    "password": """
        password passwort kennwort =passwd =pass =pwd passcode passphrase =pin geheimzahl motdepasse =mdp contraseñ =contrasena
        =senha =senhas wachtwoord paswoord hasło hasla =hasło =haslo парол *パスワード *暗証 lösenord adgangskode kodeord passord
        salasan heslo =hesla jelszó jelszav şifre parolă parolan =parolayı *密码 *密碼 *口令 *비밀번호 *암호 *패스워드
    """,
    "register": """
        register registr *registration signup join enrol becomemember createaccount =joinus account *account
        *mitglied registrier *registrieren neukunde beitret beitritt einschreib konto *konto
        inscri inscrip inscription compte adhér adhési rejoind enregistr cuenta registro regístr afili =únete =unirse =alta
        iscri registra utenza aderi adesion =conta =contas cadastr cadastre =regista =registe registo inscrev aderir
        aanmaken inschrijv registre lidmaatschap =lid rejestr zarejestr załóż członk dołącz =konta
        регистр зарегистр регистрац аккаунт учётн учетн вступит присоедин членств
        *新規登録 *会員登録 *ユーザー登録 *利用登録 *登録 *入会 *新規会員 *アカウント
        medlem opret opprett tilmeld =tili rekister liity jäsen registrac účet účtu regisztr fiók tagság kayıt kaydol üye hesap hesab
        *注册 *註冊 *会员 *會員 *账户 *帳戶 *회원 *가입 *계정
    """,
    "recover": """
        forgot forgott recover reset restor remind resend lost vergess zurücksetz rücksetz wiederherstell verloren erinner
        oubli récupér réinitialis reinitialis perdu rappel renvoyer renvoi olvid recuper restablec reestablec perdid reenvi recordator
        recupera dimentica reimposta ripristin smarrit =persa esquec redefin lembrete =perdeu vergeten herstel kwijt
        zapomn odzysk przypomn zresetuj resetuj utrac забыл восстанов сброс напомн утерян утрач
        *忘れ *再設定 *再発行 *リセット *紛失 *再送 glömt återställ glemt nulstil nullstill gendan gjenopprett tilbakestill
        unohd nollaa =palauta zapomen obnov elfelejt visszaállít emlékeztet unuttu sıfırla
        *忘记 *忘記 *找回 *重置 *重設 *重设 *비밀번호찾기 *아이디찾기 *잊으 *재설정 *초기화
    """,
    "subscribe": """
        subscri *subscri newsletter *newsletter mailinglist mailing unsubscri bulletin digest =updates alert alerts rss stay notif
        abonn abbonn rundbrief *rundbrief rundschreiben infobrief infomail infopost =abo =abos mailverteiler presseverteiler benachrichtig
        infolettre lettre souscri alerte diffusion suscri suscrib boletín boletin circulares novedades avisos notific
        iscriviti notiziario bollettino newslet abbon novità aggiornament assine assinar assinatura inscreva boletim subscrev novidades
        nieuwsbrief inschrijv maillijst mededeling biuletyn subskryb newsletteru prenumer powiadom okólnik =zapisz
        рассылк подпис новостей дайджест уведомл оповещ вестник бюллетен
        *メルマガ *メールマガジン *メールニュース *ニュースメール *購読 *ニュースレター *会報 *配信 *お知らせ *読者登録
        nyhetsbrev nyhedsbrev utskick uutiskirje zpravodaj odběr novink hírlev hírlevél feliratk bülten abone duyuru
        *订阅 *訂閱 *电子报 *電子報 *邮件列表 *通知 *简报 *구독 *뉴스레터 *소식지 *알림 *메일링
    """,
    "unsubscribe": """
        unsubscri optout abbestell abmeld austragen abonnementkünd désabonn désinscri desabonn =baja desuscri disiscri cancela disdi
        descadast desinscr uitschrijv afmeld opzeg wypis rezygn отпис *解除 *退会 *配信停止 avregistr avprenum avmeld odhlás leiratk
        *退订 *退訂 *取消订阅 *取消訂閱 *구독취소 *해지 *탈퇴
    """,
    "mail": """
        mail *mail *mailadresse email e_mail postfach courriel =mél correo =posta correio poczt mejl почт имейл мейл емейл =эл
        *メール epost sähköpost eposta *邮箱 *邮件 *郵件 *郵箱 *信箱 *電子郵件 *电邮 *電郵 *이메일 *메일 *전자우편
    """,
    "contact": """
        contact message *message enquir inquir feedback comment *comment reply guestbook testimonial subject suggest question =remark =remarks complain
        kontakt *kontakt nachricht *nachricht rückmeldung kommentar *kommentar gästebuch betreff mitteil anliegen =frage =fragen rückfrage
        anmerkung meinung *meinung beschwerde anregung stellungnahme rückruf ansprechpartner antworten
        livredor avis commentaire objet remarque réclam témoign =sujet répond coordonnées
        mensaje comentari opinión opinion asunto duda =dudas sugerenc =queja =quejas reclam pregunt responder
        messagg commento commenti contatt opinione richiesta oggetto domand suggeriment segnalazion rispond
        mensagem comentário assunto =contato =contatos dúvida sugest pergunt faleconosco
        bericht reactie opmerking onderwerp vraag =vragen suggesti gastenboek reageer reageren klacht
        wiadomoś komentarz opini temat =uwagi =uwaga pytani skarg odpowiedz odpowiedź
        сообщен комментар отзыв вопрос написат гостев =тема =тему контакт обращен пожелан замечан =обратная =обратной =обратную письм жалоб связат
        *問い合わせ *問合せ *問合わせ *コメント *お問合せ *ご意見 *意見 *感想 *伝言 *書き込 *件名 *質問 *要望 *メッセージ *掲示板 *ゲストブック *返信 *連絡
        meddelande kommentti viesti =ämne =fråga synpunkt gästbok besked =melding =emne henvend gæstebog gjestebok =palaute =palautetta yhteyden kysymy vieraskirj
        zpráv komentář vzkaz připomín předmět üzenet hozzászól vélemény kérdés megjegyz =tárgy =tárgya vendégkönyv észrevétel
        mesaj yorum iletişim ileti =konu =soru görüş geribildirim
        *留言 *评论 *評論 *意见 *反馈 *联系 *聯絡 *回复 *回覆 *咨询 *建议 *訊息 *문의 *댓글 *의견 *메시지 *연락 *방명록 *질문
    """,
    "write": """
        writ body =post publish publi schreib veröffentlich verfass *beitrag einreich écri rédig escrib redact scrivi scrivere redig pubblic
        escrev schrijf publice napisz napisa =pisz opublik пиш напис публик опублик *書く *書き *書込 *投稿 *執筆 *記入
        =skriv =skriva =skrive kirjoit napiš napsat írjon írás *撰写 *写信 *发表 *發表 *发布 *작성 *글쓰기 *게시
    """,
    "order": """
        =cart *cart basket *basket =bag checkout buy purchas pay payment qty quantity billing shipping donat wishlist =bid coupon invoice order voucher
        warenkorb *korb einkauf kauf *kaufen bestell *bestell zahl *zahlung bezahl spend menge =kasse anzahl stückzahl gutschein rabatt rechnung
        *rechnung versandk lieferadr lieferung wunschzettel merkzettel
        panier achet achat command =don =dons donner quantité quantite livraison facture payer paiement caddie =caisse réduction =acheter
        carrito *carrito compr pedido pagar pago donar donaci cantidad cesta =caja factura descuento cupón cupon envíos entrega
        carrello acquist ordina ordine ordini =pag pagare pagamento donazion =dona quantit =cassa spedizion fattur =sconto =buono
        carrinho encomend doar doaç quantidade fatura frete desconto cupom
        winkelwagen winkelmand *wagen kopen =koop bestel betaal betal afreken aantal hoeveelheid korting factuur verzendk doneer donatie
        koszyk =kup kupuj kupić kupon zamów zamow płat płac zapłać ilość ilośc wpłat darowizn =kasa =kasy dostawa dostawy faktur rabat zakup =sztuk
        корзин купит купон покуп заказ оплат платеж платёж количеств пожертв доставк скидк приобре =касса =чек
        *カート *買い物 *買物 *購入 *注文 *オーダー *数量 *個数 *支払 *寄付 *決済 *会計 *配送 *送料 *請求 *お届け *クーポン *割引 *レジへ *レジに
        varukorg kundvagn =köp =köpa beställ kupong =kassan =antal =antall =køb =købe kjøp bestil indkøb handlekurv indkøbskurv =kurv ostosk =osta tilaus maksu
        lahjoit košík objedn koup nákup platb množstv pokladn kosár megrendel rendelés vásárl fizet mennyis pénztár szállít
        sepet sipariş =satın ödeme miktar =adet bağış
        *購物車 *购物车 *购买 *購買 *加入购 *加入購 *订单 *訂單 *结账 *結帳 *结算 *付款 *支付 *捐 *數量 *优惠券 *下单
        *장바구니 *구매 *주문 *결제 *배송 *수량 *할인 *쿠폰 *기부
    """,
    "card": """
        credit creditcard card ccnum cvv cvc iban kreditkart =karte =karten kartennummer karteninhab prüfziffer =carte =cartes bancaire
        tarjeta =carta cartão =kaart kaartnummer =karta =kartę =karty kartą =карта =карты =карту =картой кредитн банковск
        *カード kortnummer kreditkort kontokort luottokort kártya =kart =kartı *信用卡 *卡号 *卡號 *카드
    """,
    "agree": """
        agree accept terms consent akzeptier zustimm einverstanden einwillig datenschutz *bedingungen =agb
        accepte condition confidentialité =cgv =cgu acepto =acepta consient condicion privacidad acetto accetto =accetta consenso condizion informativa
        aceito concordo condiç akkoord voorwaarden toestemming akcept zgadzam zgod regulamin prywatnoś warunk oświadcz
        соглас принима конфиденц услови политик *同意 *規約 *承諾 *了承 *プライバシ *個人情報
        godkänn villkor samtyck betingels vilkår godta hyväksy ehdot souhlas podmínk elfogad adatvéd =kabul koşul gizlilik
        *条款 *條款 *隐私 *隱私 *동의 *약관 *개인정보
    """,
    "configure": """
        size colour color =option options configur customi variant material length width engrav
        größe groesse farbe *farbe ausführung konfigur =länge =breite =höhe abmessung =maße gravur gewicht =optionen schriftart
        taille couleur modèle personnalis coloris largeur longueur hauteur poids matière pointure finition dimension
        talla tamaño tamano =color colores acabado medida anchura altura =opción =opciones variante
        taglia =taglie colore =colori misura larghezz lunghezz altezza opzion finitura
        tamanho =cor =cores largura comprimento opç =maat =maten kleur grootte breedte lengte uitvoering optie
        rozmiar kolor wariant długość szerokość wysokość opcj materiał размер цвет комплектац ширин длина высот вариант опци
        *サイズ *カラー *色 *寸法 *長さ *幅 *高さ *オプション *仕様 *素材
        storlek färg bredd längd størrelse farve farge bredde længde =koko väri velikost barva délka šířka méret =szín =színe
        =renk =renkler beden boyut seçenek *尺码 *颜色 *顏色 *尺寸 *大小 *规格 *規格 *选项 *選項 *크기 *색상 *사이즈 *옵션
    """,
    "vote": """
        vote *vote voting poll *poll survey =rate rating opinion questionnaire =ballot =quiz
        umfrage *umfrage abstimm bewert befragung fragebogen =stimme =stimmen sondag =vot voter enquête évalu scrutin
        encuesta votar votaci valorac calificac cuestionario sondeo =voto votaz =vota sondagg questionari valutaz
        enquete votaç inquérito sondagem avaliaç peiling =stem stemmen waardering beoordel
        ankiet głos głosuj sonda =ocena =oceń plebiscyt kwestionar голосов опрос проголос оцен анкет рейтинг =голос
        *投票 *アンケート *評価 *採点 *世論 *調査票 *質問票 omröst enkät rösta betyg afstemning avstemning spørgeskema spørreskjema äänest
        anket hlasov hodnocen szavaz felmér értékel kérdőív oyla *调查 *調查 *问卷 *問卷 *评分 *評分 *투표 *설문 *평가
    """,
    "destroy": """
        delet remov eras destroy =drop =purge wipe lösch entfern vernicht tilgen supprim effac enlev elimin borrar quitar suprim cancell elimina rimuov excluir apagar
        verwijder wissen usuń usun skasuj kasuj удал стерет очистить уничтож radera slett fjern poista smazat odstran töröl =sil kaldır *削除 *消去 *删除 *刪除 *삭제
    """,
    "set": """
        =set =change =save =update =apply =add =ask =convert =calculate =compute ändern wechseln umschalten speichern übernehmen hinzufügen umrechnen berechnen
        changer modifier enregistrer appliquer ajouter convertir calculer cambiar guardar aplicar añadir agregar calcular cambia salva applica aggiungi converti calcola
        alterar salvar adicionar wijzig opslaan toevoegen zmień zapisz zastosuj dodaj przelicz oblicz изменить сменить сохранить применить добавить рассчитать пересчитать
        *変更 *切り替え *保存 *追加 *計算 *更改 *切换 *保存 *변경
    """,
    "chooser": """
        style styleid skin theme design
        language *language currency =lang locale country region theme timezone
        sprache *sprache sprachausw währung *währung länder zeitzone langue *langue devise =pays monnaie fuseau région
        idioma moneda =país =países =pais =paises divisa lengua región lingua valuta =paese =paesi =nazione nazioni regione língua moeda =fuso região
        =taal =talen taalkeuze munteenheid język =jezyk walut kraj язык валют =страна =страну =страны =стране =стран регион
        *言語 *通貨 *国名 *タイムゾーン *地域
        språk sprog tidszon tidssone kieli valuutta jazyk měna nyelv pénznem ország =dil =dili döviz ülke
        *语言 *语种 *語言 *货币 *貨幣 *币种 *幣別 *国家 *國家 *地区 *地區 *时区 *언어 *통화 *국가 *지역 *시간대
    """,
    "booking": """
        booking reserv appointment rsvp attend ticket checkin checkout arriv =depart =night =guest =book departure
        buchen buchung *buchung =termin =termins =terminen terminverein terminbuch terminanfr reservier anreise abreise übernacht ankunft
        eintrittskarte sitzplatz tischreserv teilnahme vormerk =gäste sprechstunde
        réserv rendez =rdv billet séjour arrivée =départ nuitée =nuits =places convive
        reserva =cita =citas =entradas llegada =salida huésped butaca asistencia asistir
        prenot appuntament bigliett =arrivo partenza =ospiti pernott soggiorn =posti agendar agendament marcaç bilhete ingresso hósped chegada
        afspraak boeking reserver aankomst vertrek overnacht kaartje zitplaats
        rezerw zarezerw umów bilet wizyt nocleg przyjazd wyjazd stolik =gości
        брон заброн бронир записат =запись запишит билет =приём =прием заезд =выезд столик =гостей =ночей
        *予約 *申込 *申し込 *チケット *宿泊 *座席 *空席 *来店 *人数 *チェックイン *参加 *出欠
        =boka bokning biljett =gäster avresa ankomst varaus =varaa =lippu =liput rezerv vstupenk foglal =jegy =jegyek időpont randevu konakla
        *预订 *预约 *預約 *預訂 *订票 *訂票 *订房 *挂号 *报名 *報名 *入住 *예약 *티켓 *좌석 *신청 *참가 *체크인
    """,
    "person": """
        name firstname lastname surname fullname =fname =lname address street zip zipcode postcode postal phone telephone =tel mobile fax
        birth gender company nickname salutation
        vorname nachname familienname anrede straße strasse hausnummer plz postleitzahl wohnort anschrift adresse telefon rufnummer
        handynummer geburt geschlecht firma firmenname =herr =frau
        =nom prénom =prenom civilité =rue téléphone naissance société entreprise =sexe
        nombre apellido dirección direccion calle teléfono domicilio móvil nacimiento empresa sexo
        cognome =nome nominativo indirizzo telefono cellulare nascita azienda residenza sesso
        sobrenome apelido endereço morada telefone telemóvel celular =cep =rua nascimento
        naam voornaam achternaam adres straat huisnummer woonplaats telefoon mobiel geboorte geslacht =bedrijf bedrijfsnaam
        imię imie =imienia nazwisk =ulica =ulicy urodz płeć komórkow
        имя =имени фамили отчеств =фио телефон адрес индекс рожден улиц мобил организац компан
        *名前 *氏名 *フリガナ *ふりがな *住所 *電話 *携帯 *郵便 *番地 *生年 *年齢 *性別 *会社名 *勤務先 *職業 *ニックネーム
        namn =förnamn efternamn adress födelse postnummer =gata navn fornavn etternavn fødsel =gade =nimi etunimi sukunimi osoit puhelin postinumero
        jméno příjmen ulice =psč =név =neve vezetéknév keresztnév telefonsz irányítósz lakcím soyad =isim =adınız =adres
        *姓名 *地址 *电话 *手机 *手機 *邮编 *郵遞 *性别 *生日 *公司 *昵称 *이름 *성명 *주소 *전화 *우편번호 *성별 *생년 *회사 *휴대
    """,
    "attribute": """
        author title publisher isbn issn price *price year model =make brand manufactur category city state location type genre format edition date
        rooms bedroom bathroom mileage fuel salary director actor =cast artist composer species =volume
        autor titel verlag preis *preis jahr *jahr baujahr modell marke hersteller kategorie rubrik stadt =ort *ort gattung zimmer kilometer
        kraftstoff gehalt fläche verfasser urheber herausgeber erscheinungs jahrgang ausgabe datum *datum standort sprachraum bundesland
        fachgebiet sachgebiet wohnfläche leistung regisseur schauspieler künstler komponist epoche themengebiet
        auteur titre éditeur prix année modèle marque catégorie ville lieu pièces kilométrage carburant salaire surface editeur annee
        categorie rubrique département thème réalisateur acteur artiste compositeur parution période métier
        título titulo editorial precio año modelo marca categoría ciudad género habitaciones combustible salario superficie autores =fecha =fechas
        provincia municipio localidad temática =materia =materias =tipo =tipos ubicación periodo época kilómetro dormitorio sueldo intérprete
        titolo autore =autori editore editrice prezzo anno categoria città genere locali stipendio comune tipologia argoment
        luogo =regista attore artista compositor chilometr superfici soggett
        preço =preco =precos =ano cidade gênero autoria editora categori assunto quartos município província
        uitgever prijs jaar merk stad plaats schrijver rubriek onderwerp jaartal brandstof soort oppervlak kamers =stad
        tytuł wydawc wydawn cena =ceny =rok =roku marka kategori miasto miejsc miejscow gatunek pokoi paliwo pensja =daty
        dziedzin województ rodzaj przebieg powierzchn reżyser aktor wykonawc wynagrodz branż
        автор названи издател издан цена =цены год модел марк катег город жанр комнат пробег топлив зарплат =дата =даты область
        раздел рубрик тематик производител заглави наименован режисс актёр актер исполнит композитор площад отрасл
        *著者 *題名 *書名 *出版 *価格 *値段 *年 *メーカー *分類 *都市 *ジャンル *タイトル *カテゴリ *発行 *刊行 *著作 *編者 *監督 *俳優 *作曲 *都道府県
        *市区町村 *地名 *場所 *日付 *期間 *種類 *種別 *品番 *型番 *間取り *家賃 *給与 *職種 *業種 *駅 *巻号 *請求記号 *作家 *年式
        författare =pris =år årtal förlag ämnesord forfatter tittel forlag årstal tekijä nimeke vuosi hinta kustanta kaupunki
        název nakladatel =cena žánr město ročník =szerző szerzők szerzője =cím kiadó =ár évszám kategória város műfaj
        =yazar =yazarı başlık yayınev fiyat =yıl şehir =tür
        *作者 *书名 *价格 *價格 *年份 *品牌 *城市 *标题 *標題 *出版社 *类别 *類別 *分类 *类型 *類型 *日期 *题名 *主题 *導演 *导演
        *저자 *제목 *출판 *가격 *연도 *분류 *카테고리 *날짜 *브랜드 *장르 *지은이 *발행 *도시
    """,
    "range": """
        =from =to =min =max between minimum maximum =least =most until before after =von =bis =ab =zwischen =mindestens =höchstens =seit
        jusqu =entre =depuis =avant =après desde hasta mínim máxim =antes fino =dal minimo massimo até =vanaf =tussen =sinds
        =od =do =między minimaln maksymaln =от =до =между минимал максимал =после *以上 *以下 *以降 *以前 *未満 *から *まで *最小 *最大
        =från =mellan =mellem =mellom =alkaen =mezi legalább =arası =kadar *最低 *最高 *之前 *之后 *之後 *부터 *까지 *이상 *이하
    """,
    "sort": """
        sort sortier ascend descend aufsteigend absteigend reihenfolge perpage trier =tri classer =croissant décroissant ordonner
        ordenar ordenad ordenac ascendent descendent ordina ordinament crescent decrescent ordena ordenaç classificar
        sorteer aflopend oplopend volgorde sortuj sortow posortuj rosnąc malejąc kolejnoś сортир упорядоч возрастан убыван порядок
        *並べ *並び *ソート *昇順 *降順 fallande stigande faldende synkende järjestä seřad řadit rendezés sorrend sırala
        *排序 *升序 *降序 *排列 *정렬 *오름차순 *내림차순
    """,
    "advanced": """
        advanced detail criteria erweitert kriteri profisuche expertensuche detailsuch ausführlich
        avancé =avance =avancee critère approfondi détaill avanzad detallad criterio avanzat dettagl approfondit criteri avançad avancad detalh critério
        uitgebreid geavanceerd gedetaill zaawansowan kryteri szczegół rozszerz расширен критери подробн детальн
        *詳細 *高度 *条件 *こだわり avancerad avanceret udvidet utökad avansert utvidet tarkenn laajenn pokročil rozšíř podrobn
        részletes haladó összetett gelişmiş detaylı ayrıntılı *高级 *高級 *進階 *进阶 *條件 *상세 *고급 *조건
    """,
    "upload": """
        upload attach file hochlad *datei anhang anhäng joindre téléverser adjunt =subir =cargar =examinar allega carica anexar anexo carregar
        bijlage załącz =plik =pliku =pliki файл прикреп загруз вложен *ファイル *添付 *アップロード bifoga bilaga vedhæft vedlegg opplast liite
        nahrát příloh soubor feltölt csatol mellékl fájl yükle dosya *上传 *上傳 *附件 *업로드 *첨부 *파일
    """,
    "news": """
        news blog article *artikel story stories press =post =posts forum wiki topic thread
        university faculty campus encyclopedia documentation docs help support faq
        zeitung *zeitung zeitschrift magazin aktuell neuigkeit =hilfe actualité actualite journal presse revue =aide
        noticia periódico periodico prensa revista artículo =foro ayuda notizi giornal stampa rivista articol =aiuto notícia jornal artigo ajuda
        nieuws krant tijdschrift wiadomości gazeta aktualności artykuł prasa prasow czasopism =pomoc
        новост газет журнал стать пресс блог форум справк помощ
        *ニュース *ブログ *記事 *新聞 *雑誌 *ヘルプ *フォーラム *トピック nyhet nyhed tidning hjälp hjælp hjelp uutis lehti =ohje =ohjeet
        =noviny článk článek nápověd hírek cikk súgó újság fórum haber makale yardım gazete
        *新闻 *论坛 *論壇 *博客 *文章 *帮助 *幫助 *뉴스 *블로그 *기사 *신문 *게시판 *도움말
    """,
    "shop": """
        shop *shop store product produkt *produkt products sale *sale deal offer item items
        job jobs hotel flight =car =cars =auto =autos house property =real recipe video music movie film photo image picture software download
        people company companies business =ad =ads
        angebot *angebot händler =waren stellen stellenang immobilien anzeigen inserat kleinanz produit boutique magasin =vente offre emploi annonces
        immobili producto tienda oferta =venta =ventas artículo empleo anuncios inmobiliari prodott negozio vendita offert lavoro annunci
        produto loja venda emprego imóve imovel anúncio winkel verkoop aanbied vacature advertent
        sklep =towar towary towarów promocj praca =pracy ogłosz nieruchom aukcj магазин товар продаж продукц ваканс объявлен недвижим аукцион
        *商品 *ショップ *店 *製品 *通販 *販売 *求人 *賃貸 *物件 *不動産 *中古 *レシピ *動画 *画像 *ホテル
        butik erbjud lediga bostad tilbud kauppa tuote tuotte obchod zboží prodej inzer termék áruház =áru állás ürün mağaza satış =ilan =ilanlar
        *商城 *商店 *产品 *產品 *招聘 *酒店 *房产 *下载 *下載 *图片 *圖片 *视频 *상품 *쇼핑 *제품 *상점 *채용 *호텔 *부동산
    """,
    "captcha": """
        captcha verification securitycode spam bot human antispam recaptcha sicherheitscode sicherheitsfrage sicherheitsabfrage spamschutz
        prüfcode vérification verificac verificaç =verifica weryfik капч провероч спам *画像認証 *スパム *ロボット *验证码 *驗證碼 *보안문자 *자동등록 *캡차
    """,
}  # fmt: skip

GENERIC = """
    the a an of in to for on by at with or and any all your you our my we us what which who are is do i this that these those here more new please type enter word words text term terms phrase
    quick simple advanced help options option value select choose
    der die das den dem des ein eine einen einem einer im in auf von für mit und oder alle alles hier bitte ihr ihre ihren unser unsere sie was nach wort wörter begriff begriffe text eingeben diese diesen dieser diesem zu zum zur bei aus am an als ist sind wir nur auch geben wählen
    le la les l d un une des du de dans sur par pour avec et ou à au aux en tous toutes ici votre vos nos notre ce cette ces quoi que qui mot mots terme termes texte saisir saisissez entrez tapez choisir
    el la los las un una de del en al por para con y o todo todos toda todas aquí su sus tu nuestro nuestra este esta estas estos palabra palabras término texto introduzca introduce escriba escribe elija que
    il lo gli i un una di del della dei delle degli nel nella nelle nei su sul sulla per con e o tutti tutte tutto qui questo questa queste tuo il nostro nostre parola parole termine testo inserisci inserire digita scegli
    o os as um uma de do da dos das no na nos nas em por para com e ou todos todas aqui este esta neste seu sua palavra palavras termo texto digite insira introduza escolha
    de het een van in op voor met en of te aan bij uit alle hier deze dit uw je ons onze woord woorden term tekst vul typ kies
    w we na z ze i lub oraz do dla po o tu tej tym tych te ten nasz naszych nasze wszystkie wszystko słowo słowa wyraz fraza tekst wpisz podaj wybierz proszę
    в во на по и или для с со из о об к у все всё здесь этот эта эти этом наш наши наших ваш ваше слово слова фраза текст введите укажите выберите что
    och eller i på av för med alla här ord skriv välj og eller i på af til med alle her ord vælg velg ja tai sana kirjoita valitse slovo slova v na a nebo se do zadejte vyberte szó és vagy a az írja be ve veya ile için
"""  # words that say nothing about what is searched

# --- meaning
# From text to words, and from a word to what it is about: the lexicon, looked up once for each word.

MAX_TEXT = 800  # characters of one text that are read
MAX_WORDS = 60
MAX_KNOWN = 50_000  # words whose meaning is remembered

_WORD = re.compile(r"[^\W\d_]+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_PARTED = re.compile(r"\b(log|sign|check|look)[ _-](in|on|up|out)\b")
_FROM_A_TO_Z = re.compile(r"\ba ?(?:to|bis|à|a|do|до|[-–])? ?[zя]\b")


def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case; what is one word for a person (log in, A to Z) is one."""
    lower = _join(text[:MAX_TEXT].lower())
    if " z" in lower or "-z" in lower or " я" in lower or "–z" in lower:
        lower = _FROM_A_TO_Z.sub("atoz", lower)
    return _WORD.findall(lower)[:MAX_WORDS]


def parts_of(name: str) -> list[str]:
    """Return the words that a program's names are made of: parts of camelCase and snake_case count alone."""
    name = name[:MAX_TEXT]
    lower = name.lower()
    if lower != name:
        lower = _CAMEL.sub(" ", name).lower()
    return _WORD.findall(_join(lower))[:MAX_WORDS]


def _join(lower: str) -> str:
    """Make one word of two that belong together; most texts have no such pair, and a look is cheap."""
    if "log" in lower or "sign" in lower or "check" in lower or "look" in lower:
        return _PARTED.sub(r"\1\2", lower)
    return lower


def _read_stems() -> tuple[dict[str, list[str]], dict[str, list[str]], list[tuple[str, str]]]:
    """Sort the lexicon into whole words, beginnings and parts of words."""
    whole: dict[str, list[str]] = {}
    begin: dict[str, list[str]] = {}
    inside: list[tuple[str, str]] = []
    for concept, stems in CONCEPTS.items():
        for stem in stems.split():
            if stem.startswith("="):
                whole.setdefault(stem[1:], []).append(concept)
            elif stem.startswith("*"):
                inside.append((stem[1:], concept))
            else:
                begin.setdefault(stem, []).append(concept)
    return whole, begin, inside


_WHOLE, _BEGIN, _INSIDE = _read_stems()
_INSIDE_LATIN = [(part, concept) for part, concept in _INSIDE if part.isascii()]
_LONGEST = max(map(len, _BEGIN))
_GENERIC = frozenset(GENERIC.split())
_KNOWN: dict[str, tuple[str, ...]] = {}


def concepts_of(word: str) -> tuple[str, ...]:
    """Return what a word is about."""
    known = _KNOWN.get(word)
    if known is None:
        known = tuple(sorted(_look_up(word)))
        if len(_KNOWN) < MAX_KNOWN:
            _KNOWN[word] = known
    return known


def _look_up(word: str) -> set[str]:
    found = set(_WHOLE.get(word, ()))
    for length in range(2, min(len(word), _LONGEST) + 1):
        found.update(_BEGIN.get(word[:length], ()))
    found.update(concept for part, concept in (_INSIDE_LATIN if word.isascii() else _INSIDE) if part in word)
    return found


def is_subject(word: str) -> bool:
    """Say whether a word is about none of what forms are about: then it names what is searched."""
    return word not in _GENERIC and not concepts_of(word)
