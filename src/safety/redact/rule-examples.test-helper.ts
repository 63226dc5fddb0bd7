import { createHash } from "node:crypto";

// No value is written out: words are joined and keys are computed, so that no scanner takes this file for a leak.

const digest = createHash("sha512").update("examples of rules").digest();
const hex = (length: number, from = 0) => digest.toString("hex").slice(from, from + length);
const upper = (length: number) => hex(length).toUpperCase();
const mixed = (length: number) => digest.toString("base64").replace(/[+/=]/g, "").slice(0, length);
const join = (...parts: readonly string[]) => parts.join("");

/** A password that a person might choose; `ENCODED` is the same as sent in basic authentication. */
const P = join("Otter", "-47", "11!");
const ENCODED = Buffer.from(`eva:${P}`).toString("base64");
const UUID = [hex(8), hex(4), hex(4), hex(4), hex(12)].join("-");
const PHRASE = "maple otter gravel lantern violin harbour pepper walnut thunder saffron ribbon copper";
const CODE = join("48", "29", "13");
const BYTES = Array.from(digest, String).join(",");

/** The kind of a rule, a text that it matches, and the secret that must not remain. */
export type RuleExample = readonly [kind: string, text: string, secret: string];

/** An example for each rule of `STRUCTURES`, in its order. */
export const STRUCTURE_EXAMPLES: readonly RuleExample[] = [
  ["bearer-token", `Bearer ${mixed(24)}`, mixed(24)],
  ["basic-auth", `Basic ${ENCODED}`, ENCODED],
  ["aws-key", join("AK", "IA", upper(16)), upper(16)],
  ["aws-key", join("A3", "TX", upper(16)), upper(16)],
  ["jwt", join("ey", "J", mixed(20), ".", mixed(30)), mixed(20)],
  ["webhook", `https://hooks.example.com/services/${upper(9)}/${mixed(24)}`, mixed(24)],
  ["url-credentials", `postgres://eva:${P}@db.example.com/shop`, P],
  ["url-credentials", `https://${hex(32)}@o1.ingest.sentry.io/42`, hex(32)],
  ["url-credentials", `git clone https://${mixed(24)}@git.example.com/shop.git`, mixed(24)],
  ["signed-url", `https://files.example.com/a.zip?sig=${mixed(30)}`, mixed(30)],
  ["url-token", `https://api.example.com/me?access_token=${mixed(24)}`, mixed(24)],
  ["password-hash", ["", "2b", "12", mixed(50)].join("$"), mixed(50)],
  ["command-password", `mysql -h db -u eva -p${P}`, P],
  ["command-password", `curl -u eva:${P} example.com`, P],
  ["flag-password", `deploy --api-key=${mixed(20)}`, mixed(20)],
  ["sql-password", `alter user eva with password '${P}'`, P],
  ["call-password", `user.set_password("${P}")`, P],
  ["command-password", `net user eva ${P} /add`, P],
  ["netrc", `login eva password ${P}`, P],
  ["cookie", `Set-Cookie: sessionid=${mixed(24)}; Path=/`, mixed(24)],
  ["docker-auth", `{"auth": "${ENCODED}"}`, ENCODED],
  ["mnemonic", `mnemonic: ${PHRASE}`, PHRASE],
  ["api-key", `${hex(32)}-us14`, hex(32)],
  ["api-key", `${hex(32)}-${hex(8, 32)}-${hex(8, 40)}`, hex(32)],
  ["api-key", join("waka", "_", UUID), UUID],
  ["bot-token", ["M".concat(mixed(23)), mixed(6), mixed(30)].join("."), mixed(30)],
  ["app-password", ["qzxv", "wkjp", "bhtf", "mgyd"].join("-"), "wkjp"],
  ["login", `sonar.login=${hex(40)}`, hex(40)],
  ["login", `NEO4J_AUTH=neo4j/${P}`, P],
  ["link-token", `https://example.com/password/reset/${hex(40)}`, hex(40)],
  ["join-token", `kubeadm join 10.0.0.1 ${hex(6)}.${hex(16, 6)}`, hex(16, 6)],
  ["password-hash", `eva:1001:${hex(32)}:${hex(32, 32)}:::`, hex(32, 32)],
  ["password-hash", `eva:{SHA}${mixed(27)}=`, mixed(27)],
  ["password-hash", `'*${upper(40)}'`, upper(40)],
  ["telegram-token", `https://api.example.com/bot123456789:${mixed(35)}/me`, mixed(35)],
  ["telegram-token", join("123456789", ":", "AA", mixed(33)), mixed(33)],
  ["azure-key", join(mixed(40), "JQQ", "J99", mixed(20)), mixed(40)],
];

/** An example for each rule of `PREFIXED`, in its order. */
export const PREFIX_EXAMPLES: readonly RuleExample[] = [
  ["github-token", join("gh", "p_", mixed(36)), mixed(36)],
  ["gitlab-token", join("gl", "pat-", mixed(20)), mixed(20)],
  ["slack-token", join("xo", "xb-", mixed(24)), mixed(24)],
  ["google-key", join("AI", "za", mixed(35)), mixed(35)],
  ["npm-token", join("np", "m_", mixed(36)), mixed(36)],
  ["api-key", join("s", "k-", mixed(40)), mixed(40)],
];

/** An example for each rule of `PLACES`, in its order. */
export const PLACE_EXAMPLES: readonly RuleExample[] = [
  ["command-password", `echo "eva:${P}" | chpasswd`, P],
  ["command-password", `chpasswd <<< "eva:${P}"`, P],
  ["command-password", `ldapsearch -x -D cn=eva -w ${P} -b dc=example`, P],
  ["command-password", `sshpass -p ${P} ssh eva@host`, P],
  ["command-password", `rootpw ${P}`, P],
  ["command-password", `anytool -u eva --host db -p ${P} run`, P],
  ["command-password", `tool change-admin-password ${P}`, P],
  ["command-password", `pkcs11-tool --login --pin ${P}`, P],
  ["command-token", `ngrok authtoken ${mixed(40)}`, mixed(40)],
  ["flag-password", `restore --keystore-password ${P}`, P],
  ["command-password", `expect "Password:"\nsend "${P}\\r"`, P],
  ["command-password", `schtasks /create /ru eva /rp ${P}`, P],
  ["config-password", `requirepass ${P}`, P],
  ["config-password", `%any : PSK "${P}"`, P],
  ["one-time-code", `verification code: ${CODE}`, CODE],
  ["sql-password", `CREATE USER eva IDENTIFIED BY ${P}`, P],
  ["sql-password", `create user eva identified by ${P}`, P],
  ["sql-password", `alter role eva password '${P}'`, P],
  ["sql-password", `PRAGMA key = '${P}';`, P],
  ["url-credentials", `eva:${P}@tcp(db:3306)/shop`, P],
  ["url-credentials", `eva:${P}@ftp.example.com`, P],
  ["pair", `auth=("eva", "${P}")`, P],
  ["pair", `Login: eva / ${P}`, P],
  ["commented-password", `connect("${P}")  # password`, P],
  ["compared-password", `expect(user.password).toBe("${P}")`, P],
  ["compared-password", `assertEquals("${P}", user.password)`, P],
  ["connection-string", `Server=db;Uid=eva;Pwd=${P};`, P],
  ["account-key", `AC${hex(32)}:${hex(32, 32)}`, hex(32, 32)],
  ["url-token", `https://mainnet.example.com/v3/${hex(32)}`, hex(32)],
  ["eth-key", `accounts: ["0x${hex(64)}"]`, hex(64)],
  ["vault-text", `$ANSIBLE_VAULT;1.1;AES256\n${"61366237".repeat(10)}`, "61366237"],
  ["key-bytes", `[${BYTES}]`, BYTES],
  ["api-key", ["access_token", "production", mixed(16), hex(32)].join("$"), hex(32)],
  ["mnemonic", `"${PHRASE}"`, PHRASE],
  ["call-argument", `login("eva", "${P}")`, P],
  ["call-argument", `login(page, name, "${P}")`, P],
  ["call-argument", `DriverManager.getConnection(url, "eva", "${P}")`, P],
  ["call-argument", `WiFi.begin("home", "${P}")`, P],
  ["call-argument", `new X509Certificate2("cert.pfx", "${P}")`, P],
  ["call-argument", `db.connect("localhost", "eva", "${P}")`, P],
  ["call-argument", `createUser("eva", "${P}")`, P],
  ["call-argument", `bcrypt.hash("${P}", 10)`, P],
  ["call-argument", `createHmac("sha256", "${P}")`, P],
  ["call-argument", `Fernet("${P}")`, P],
  ["call-argument", `algoliasearch("APP", "${hex(32)}")`, hex(32)],
  ["typed-password", `cy.get('#password').type('${P}')`, P],
  ["typed-password", `page.fill("#password", "${P}")`, P],
  ["typed-password", `<input type="password" value="${P}">`, P],
  ["typed-password", `<input value="${P}" type="password">`, P],
  ["typed-password", `child.expect("Password:"); child.sendline("${P}")`, P],
  ["compared-password", `if getpass("Password: ") == "${P}":`, P],
  ["hashed-password", `md5("${P}")  # password`, P],
  ["hashed-password", `echo -n ${P} | sha256sum  # password`, P],
  ["commented-password", `x = "${P}"; // the admin password`, P],
  ["commented-password", `# password of the admin\nvalue = "${P}"`, P],
  ["user-table", `users = {"admin": "${P}"}`, P],
  ["sensitive-value", `"type": "random_password", "result": "${P}"`, P],
  ["sensitive-value", `"sensitive": true, "value": "${P}"`, P],
  ["sensitive-value", `tokens { agent = "${UUID}" }`, UUID],
  ["call-argument", `new Payments("${mixed(32)}")`, mixed(32)],
  ["call-argument", `provider :github, "Iv1", "${hex(40)}"`, hex(40)],
  ["call-argument", `"${P}".toCharArray()`, P],
  ["told-password", `the password for the staging box is ${P}`, P],
  ["told-password", "passphrase for the backup: maple otter gravel lantern", "gravel lantern"],
  ["told-password", `use ${P} as the password`, P],
  ["told-password", `数据库密码是${P}`, P],
  ["pair", `wifi: guestnet / ${P}`, P],
  ["pair", `creds: eva:${P}`, P],
  ["code", `SIM PIN ${CODE}`, CODE],
  ["code", `the lab door opens with ${CODE}`, CODE],
  ["pair", `basic_auth: "eva:${P}"`, P],
  ["pair", `u: eva p: ${P}`, P],
  ["code", `door code is ${CODE}`, CODE],
  ["code", `alarm_control_panel:\n  code: "${CODE}"`, CODE],
  ["code", `门禁密码 ${CODE}`, CODE],
  ["code", `AT+CPIN="${CODE}"`, CODE],
  ["code", `"doorCode": "${CODE}"`, CODE],
  ["code", `100 => ${CODE},Eva,eva@example.com`, CODE],
  ["wifi-code", `WIFI:T:WPA;S:home;P:${P};;`, P],
];
