"""What words in and around forms are about, in the languages people write them in.

A concept is a list of stems: a word that begins with a stem is about the concept. `=word` must be
the whole word, `*stem` may stand anywhere in a word (compounds, and scripts that leave no spaces).
A word may be about several concepts. Words are in lower case.
"""

from __future__ import annotations

CONCEPTS: dict[str, str] = {
    "search": """
        search *search find finder *finder =finds lookup query queries keyword keyphrase explore discover locat
        =such *suche *suchen durchsuch find finden nachschlag abfrag recherch cherch rechercher trouv interrog requête consult
        busc *busca búsqueda buscador encontr hallar localiz consulta pesquis procur cerca ricerc trova interrog
        zoek *zoek opzoek sök *sök søg *søg søk *søk etsi *haku löyd szuk *szuk wyszuk znajd odszuk hled hledan vyhled vyhľad hľad najd
        keres *keres talál =ara arama *arama aran caută căut traži pretra търс пошук знайти поиск *поиск искат найти ищ
        αναζήτ εύρεση ψάξ बحث بحث חיפוש tìm cari
        *検索 *探す *探し *調べ *さがす *搜索 *搜尋 *搜寻 *查询 *查詢 *查找 *검색 *찾기 =bul =hae =haku =leita przeszuk прейск
           """,
    "browse": """
        browse filter refin =view show =list display result *results narrow stöber anzeig zeig filtern *ergebnis affich parcour filtr résultat =ver 
        mostrar filtrar resultad mostra filtra sfoglia risultat toon bladeren =vis pokaż przegląd wyświetl wynik показать фильтр результат вывести
        *表示 *絞り込 *一覧 *篩選 *筛选 *显示 *보기
           """,
    "go": """
        =go =ok =submit =send =enter =start =los =weiter =absenden =senden =allez =valider =envoyer =lancer =ir =enviar =aceptar =vai =invia =esegui =avvia =verstuur
        =wyślij =dalej =idź =отправить =вперёд =вперед =пуск =ок *送信 *実行 =开始 =提交 =确定 =확인
    """,
    "site": """
        =site =sites websit *website homepage =web =pages portal intranet internal fulltext sitewide =seiten webseit *webseite *webseiten =unterseiten internetseit
        *auftritt webpräsenz volltext =intern =interne =internen onlineangebot portail interne =sitio sitios =páginas =paginas =portales interno interna 
        =sito =siti =pagine portale webstek =stronie =stron =stronach =stronę witryn serwis wewnętrz сайт страниц портал внутренн полнотекст
        =sivusto sivustolta =sidor =sidan webbplats *webbplats nettsted hjemmeside stránk stránek webu oldal honlap *sitesi
        *サイト *ホームページ *全文 *ウェブ内 *ポータル *站内 *站內 *本站 *网站 *網站 *全站 *사이트 *홈페이지 =witrynie *ページ内 *全ページ
           """,
    "catalogue": """
        catalog inventor listing database databank directory archive archiv collection registr =register index repositor librar holdings bibliograph glossar =records
        katalog *katalog verzeichnis *verzeichnis datenbank *datenbank bestand *bestand sammlung *sammlung kartei *kartei archiv *archiv register *register fundus
        annuaire répertoire fichier =fonds fonds recueil catálogo catàleg =bases archivo* fichero colección acervo directorio índice listado banco
        catalogo elenco archivio raccolta banca schedario repertorio indice catálog arquivo diretório coleção acervo catalogus gegevens bestand* verzameling
        katalog* kartotek kartoteka baza =bazy =bazie spis zbiór zbior zbiory rejestr archiwum wykaz каталог база =базе =базы картотек архив реестр справочник собрани коллекц перечень указатель
        databas samling arkiv förteckning fortegnelse luettelo tietokanta adatbázis gyűjtemény databáze sbírk seznam
        =list =liste =lista =listado lists overview glance atoz übersicht *übersicht panorama aperçu panoramica przegląd =список списк обзор données dati datos danych данных
        *総覧 *案内 *データベース *目録 *カタログ *一覧 *名簿 *図書館 *アーカイブ *台帳 *索引 *所蔵 *数据库 *資料庫 *目录 *目錄 *库 *데이터베이스 *목록
           """,
    "login": """
        login *login logon signin loginname username userid *username userpass =user =users anmeld *anmeldung einlogg *anmelden benutzername kennung
        connexion connect identifi =pseudo identifiant sesión sesion =acceder =accede =accedi accesso =acceso =entrar =entra usuario utente utilizador inlogg aanmeld gebruikersnaam
        zalog logowan użytkownik *войти вход *вход авториз логин пользовател přihlá prihlás bejelentkez giriş kirjaudu logga
        *ログイン *ログオン *サインイン *登录 *登入 *登錄 *로그인 *会員id *ユーザー
    """,
    "password": """
        password passwort kennwort =passwd =pass =pwd passcode passphrase =pin motdepasse =mdp contraseñ clave =senha parola wachtwoord hasło hasla lösenord adgangskode passord
        salasana heslo jelszó şifre парол *パスワード *密码 *密碼 *비밀번호 *暗証
    """,
    "register": """
        register registr *registration signup join *mitglied =joinus enrol becomemember createaccount registrier *registrieren neukunde inscri inscrip inscription registr registro iscri
        cadastr cadastre =regista aanmaken inschrijv rejestr zarejestr załóż регистр зарегистр регистрац registrac regisztr kayıt *新規登録 *会員登録 *ユーザー登録 *注册 *註冊 *회원가입 *登録
        account *account konto *konto compte cuenta =conta аккаунт *アカウント
    """,
    "recover": """
        forgot forgott recover reset restor remind resend lost vergess zurücksetz wiederherstell oubli récupér réinitialis olvid recuper restablec recupera dimentica reimposta
        esquec redefin vergeten herstel zapomn odzysk przypomn zresetuj забыл восстанов сброс напомн glömt glemt unohd zapomen elfelejt unuttum *忘れ *再設定 *再発行 *忘记 *找回 *찾기
    """,
    "subscribe": """
        subscri *subscri newsletter *newsletter mailinglist mailing unsubscri bulletin digest abonn abbonn rundbrief *rundbrief infobrief infolettre lettre =abo suscri suscrib boletín boletin
        iscriviti notiziario assine assinar inscreva nieuwsbrief inschrijv nyhetsbrev nyhedsbrev uutiskirje newsletteru biuletyn subskryb рассылк подпис новостей hírlevél zpravodaj bülten
        *メルマガ *メールマガジン *購読 *ニュースレター *订阅 *訂閱 *구독 =updates alert alerts rss stay notif
    """,
    "mail": """
        mail *mail *mailadresse email e_mail correo courriel =posta почт имейл =эл *メール *邮箱 *邮件 *電子郵件 *이메일
           """,
    "contact": """
        contact message *message enquir inquir feedback comment *comment reply guestbook testimonial kontakt *kontakt nachricht *nachricht rückmeldung kommentar *kommentar gästebuch
        mensaje comentari consulta* opinión messagg commento opinione richiesta mensagem comentário bericht reactie opmerking wiadomoś komentarz opini сообщен комментар отзыв вопрос написат гостев
        meddelande kommentti viesti zpráv komentář üzenet hozzászól mesaj yorum livredor avis commentaire =livre *問い合わせ *コメント *お問合せ *ご意見 *留言 *评论 *意見 *문의 *댓글 *感想 *伝言 *書き込
        subject betreff objet asunto oggetto assunto onderwerp temat тема *件名 suggest question
    """,
    "write": "writ schreib écri escrib scrivi escrev schrijf napisz napisa пиш напис *書 body =post publish publi veröffentlich",
    "order": """
        =cart *cart basket *basket =bag checkout buy purchas pay payment qty quantity billing shipping donat wishlist =bid coupon invoice
        warenkorb *korb einkauf kauf *kaufen bestell *bestell zahl *zahlung spend menge kasse anzahl panier achet command =pai =don donner quantité livraison facture
        carrito *carrito compr pedido pagar pago donar cantidad cesta carrello acquist ordina =pag donazion quantità carrinho encomend doar quantidade winkelwagen *wagen kopen bestel betaal
        koszyk =kup kupuj zamów zamow płat zapłać ilość wpłat darowizn корзин купит покуп заказ оплат количеств пожертв košík objedn kosár megrendel sepet
        *カート *買い物 *購入 *注文 *数量 *支払 *寄付 *購物車 *购物车 *购买 *加入 *장바구니 *구매 order pagare pagamento payer paiement
           """,
    "configure": """
        size colour color =option options configur customi variant material length width engrav größe farbe ausführung konfigur taille couleur modèle personnalis coloris
        talla tamaño =color colores acabado taglia colore misura tamanho =cor maat kleur rozmiar kolor wariant размер цвет комплектац *サイズ *カラー *色 *尺码 *颜色 *크기
           """,
    "vote": """
        vote *vote voting poll *poll survey =rate rating opinion umfrage *umfrage abstimm bewert sondag =vot encuesta votar votaz sondagg enquete peiling =stem ankiet głos głosuj sonda голосов опрос проголос оцен
        anket omröst avstemning äänest szavaz hlasov *投票 *アンケート *評価 *投票 *调查 *투표 voter 
           """,
    "chooser": """
        language *language currency =lang locale country region theme timezone sprache *sprache währung *währung langue *langue devise pays idioma moneda país lingua valuta língua moeda taal
        język waluta kraj язык валют стран språk sprog valuta kieli jazyk měna nyelv pénznem =dil *言語 *通貨 *语言 *语种 *語言 *货币 *언어
           """,
    "booking": """
        booking reserv appointment rsvp attend ticket buchen buchung *buchung termin reservier réserv rendez reserva =cita prenot appuntament reserver afspraak rezerw rezerv umów брон запис заброн бронир
        *予約 *申込 *申し込 *预订 *预约 *예약 checkin checkout arriv =depart =night =guest =book departure boeken
           """,
    "person": """
        name firstname lastname surname fullname =fname =lname vorname nachname =nom prénom nombre apellido cognome =nome sobrenome naam voornaam imię imie nazwisk имя фамили отчеств *名前 *氏名 *姓名 *이름
        address street zip zipcode postcode postal phone telephone =tel mobile fax adresse straße plz telefon adresse =rue téléphone dirección calle teléfono indirizzo telefono endereço telefone adres telefoon
        телефон адрес индекс *住所 *電話 *郵便 *地址 *电话 birth gender geburt naissance nacimiento nascita рожден *生年 *性別 company firma société empresa azienda
           """,
    "attribute": """
        author title publisher isbn price *price year model =make brand manufactur category city state location type genre format edition date rooms bedroom bathroom mileage fuel salary
        autor titel verlag preis *preis jahr *jahr baujahr modell marke hersteller kategorie rubrik stadt =ort *ort gattung zimmer kilometer kraftstoff gehalt fläche
        auteur titre éditeur prix année modèle marque catégorie ville lieu genre pièces kilométrage carburant salaire surface
        título editorial precio año modelo marca categoría ciudad género habitaciones combustible salario superficie titolo autore editore prezzo anno categoria città genere locali stipendio
        preço =ano cidade gênero título uitgever prijs jaar merk stad tytuł wydawc cena =rok model marka kategori miasto miejsc gatunek pokoi paliwo pensja
        автор названи издател цена год модел марк катег город жанр комнат пробег топлив зарплат *著者 *題名 *出版 *価格 *年 *メーカー *分類 *都市 *ジャンル *作者 *书名 *价格 *年份 *品牌 *城市
        director actor =cast artist composer species
           """,
    "range": "=from =to =min =max between minimum maximum =least =most until before after =von =bis =ab jusqu desde hasta fino até =od =do =от =до *以上 *以下 *から *まで",
    "sort": "sort sortier trier =tri ordenar ordina sorteer sortuj сортир *並べ *排序 ascend descend aufsteigend perpage",
    "advanced": "advanced erweitert avancé avanzad avanzat avançad uitgebreid zaawansowan расширен *詳細 *高级 *進階 detail criteria kriterien critère criterio kryteri критери",
    "upload": "upload attach file hochlad *datei anhang joindre fichier* adjunt allega anexar bijlage załącz файл прикреп *ファイル *添付 *上传",
    "news": """
        news blog article *artikel story stories press =post =posts forum wiki topic thread nachricht* zeitung magazin aktuell actualité journal noticias periódico notizie giornale nieuws wiadomości gazeta новост газет журнал
        *ニュース *ブログ *記事 *新闻 *新聞 *论坛 *뉴스 university faculty campus encyclopedia documentation docs help support faq
           """,
    "shop": """
        shop *shop store product produkt *produkt products produit producto prodott produto price* sale *sale deal offer shipping* catalog* artikel* item items boutique tienda negozio loja winkel sklep магазин товар *商品 *ショップ *店 *商城 *상품
        job jobs stellen emploi empleo lavoro praca ваканс *求人 hotel flight =car =cars =auto =autos house property immobilien =real recipe video music movie film photo image picture software download
        people company companies business =ad =ads anzeigen annonces anuncios annunci ogłoszenia объявлен
           """,
    "query": "query queries enquir inquir abfrag anfrag interrog requête consult consulta interroga zapyt запрос *照会 *問い合わせフォーム",
    "card": "credit creditcard card ccnum cvv cvc iban kreditkart karte carte tarjeta carta cartão kaart kart карт *カード *信用卡",
    "unsubscribe": "unsubscri abbestell abmeld désabonn désinscri =baja disiscri cancela uitschrijv wypis rezygn отпис *解除",
    "agree": "agree accept terms consent akzeptier zustimm einverstanden accepte condition acepto acetto accetto aceito akkoord akcept zgadzam zgod соглас принима *同意",
    "page": "=page =seite *seite =página =pagina =strona =stronę =stronie *ページ страниц",
    "this": "=this =these =our =diese =dieser =diesen =diesem =unsere =unseren =ce =cette =ces =nos =notre =este =esta =estas =estos =nuestro =nuestra =nuestras =questo =questa =queste =nostre =nostro =tej =tym =tych =naszej =naszych =этом =этой =этих =наших =нашем *この *当 *本",
    "word": "word keyword term phrase text *begriff *begriffe wort wörter stichwort schlagwort *wörter =mot =mots terme texte clé palabra término parola parole termine testo palavra woord słow wyraz hasło fraza слов фраз текст *キーワード *語 *言葉 *ことば *关键",
    "field": "any* field anywhere alle* felder *feldern fulltext champ campo campi veld pole polach поле полях *項目 contain containing includ begin",
    "captcha": "captcha verification securitycode spam bot human",
}  # fmt: skip

GENERIC = """
    the a an of in to for on by at with or and any all your you our my we us what which who are is do i this that these those here more new please type enter word words text term terms phrase
    quick simple advanced help options option value select choose
    der die das den dem des ein eine einen im in auf von für mit und oder alle alles hier bitte ihr ihre unser unsere sie was nach wort wörter begriff begriffe text eingeben diese diesen dieser diesem zu zum zur
    le la les un une des du de dans sur par pour avec et ou tous toutes ici votre vos nos notre ce cette ces quoi mot mots terme termes texte saisir entrez
    el la los las un una de del en por para con y o todo todos toda todas aquí su sus nuestro nuestra este esta estas estos palabra palabras término texto introduzca escriba que
    il lo gli i un una di del della dei nel nella nelle su per con e o tutti tutte qui questo questa queste tuo nostro nostre parola parole termine testo inserisci
    o os as um uma do da dos das no na em por para com e ou todos aqui este esta palavra palavras termo texto digite
    de het een van in op voor met en of alle hier deze dit uw ons onze woord woorden term tekst
    w we na z ze i lub oraz do dla po tu tej tym tych te ten nasz naszych nasze wszystkie wszystko słowo słowa wyraz fraza tekst wpisz
    в во на по и или для с со из все всё здесь этот эта эти этом наш наши наших слово слова фраза текст введите что
    och eller i på av för med alla här ord og eller i på af til med alle her ord ja tai sana slovo slova v na a nebo se do szó és ve veya
"""  # words that say nothing about what is searched
