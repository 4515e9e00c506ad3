/**
 * The literal texts in which one secret value shows up in output: itself, its lines, the password of an address,
 * base64 (also inside a longer encoded text, as in basic authentication), hex, URL, JSON (also within JSON), HTML and
 * shell encodings. Pure.
 */

/** Shorter values are words that occur by chance. */
export const shortestSecret = 8;

const secretName =
  /TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|PASSCODE|(^|_)PASS($|_)|API_?KEY|_KEYS?($|_)|CREDENTIAL|AUTH(?!OR)|COOKIE|SESSION|PRIVATE|(^|_)PAT$|(^|_)DSN$|(^|_)(DATABASE|REDIS|MONGO|AMQP|POSTGRES)\w*_UR[IL]$/i;

/** Names that match above and say nothing secret: sockets, desktops, and what kind of session it is. */
const harmlessName =
  /^(SSH_AUTH_SOCK|XDG_SESSION_\w+|DBUS_SESSION_BUS_ADDRESS|SESSION_MANAGER|DESKTOP_SESSION|GDMSESSION)$/;

export function looksSecret(name: string): boolean {
  return secretName.test(name) && !harmlessName.test(name);
}

export function secretForms(value: string): ReadonlySet<string> {
  const forms = new Set<string>();
  const add = (form: string): void => {
    if (form.length >= shortestSecret) forms.add(form);
  };
  const trimmed = value.trim();
  if (trimmed.length < shortestSecret) return forms;
  add(trimmed);
  for (const form of [...jsonForms(trimmed), ...markupForms(trimmed)]) add(form);
  const hex = Buffer.from(trimmed, 'utf8').toString('hex');
  add(hex);
  add(hex.toUpperCase());
  const percent = encodeURIComponent(trimmed.replace(/\p{Surrogate}/gu, '\ufffd'));
  add(percent);
  add(percent.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()));
  add(percent.replaceAll('%20', '+'));
  for (const form of passwordForms(trimmed)) add(form);
  for (const form of base64Forms(Buffer.from(value, 'utf8'))) add(form);
  for (const line of trimmed.split('\n')) {
    // The frame of a PEM block is no secret, and is in every certificate.
    if (line.trim().length >= 2 * shortestSecret && !line.startsWith('-----')) add(line.trim());
  }
  return forms;
}

/** As JSON has it; with its slashes escaped, in ASCII alone, or as text inside another JSON text, as programs differ. */
function jsonForms(value: string): readonly string[] {
  const json = JSON.stringify(value).slice(1, -1);
  const slashed = json.replaceAll('/', String.raw`\/`);
  const ascii = json.replaceAll(
    /[\u007F-\uFFFF]/g,
    (character) => String.raw`\u` + character.charCodeAt(0).toString(16).padStart(4, '0'),
  );
  return [json, slashed, ascii].flatMap((form) => [form, JSON.stringify(form).slice(1, -1)]);
}

/** In HTML, with the quotes in the spellings that are usual; and quoted for a shell. */
function markupForms(value: string): readonly string[] {
  const escapedMarkup = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const quotes = [
    ['"', "'"],
    ['&quot;', "'"],
    ['&quot;', '&#39;'],
    ['&quot;', '&#x27;'],
    ['&quot;', '&apos;'],
    ['&#34;', '&#39;'],
  ] as const;
  const markup = quotes.map(([double, single]) => escapedMarkup.replaceAll('"', double).replaceAll("'", single));
  return [...markup, value.replaceAll("'", String.raw`'\''`), value.replaceAll("'", `'"'"'`)];
}

/** The password in an address, as written and as a program gets it. A plain word occurs by chance. */
function passwordForms(value: string): readonly string[] {
  const [, written = ''] = /^[a-z][a-z\d+.-]{0,30}:\/\/[^\s/@:]{0,200}:([^\s/@]{1,400})@/i.exec(value) ?? [];
  return /^[A-Za-z]*$/.test(written) ? [] : [written, decoded(written)];
}

function decoded(written: string): string {
  try {
    return decodeURIComponent(written);
  } catch {
    return written;
  }
}

/** The characters that the value alone decides, for each of its three possible positions in a longer encoded text. */
function base64Forms(value: Buffer): readonly string[] {
  return [0, 1, 2].flatMap((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), value]).toString('base64');
    const own = encoded.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + value.length) * 8) / 6));
    return [own, own.replaceAll('+', '-').replaceAll('/', '_')];
  });
}
