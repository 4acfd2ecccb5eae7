/** The words of the page itself; what the categories are called the app says. */
export interface PreferenceTexts {
  dir: 'ltr' | 'rtl'
  title: (app: string) => string
  lead: string
  all: string
  save: string
  saved: string
  none: string
  gone: string
  goneText: string
}

const en: PreferenceTexts = {
  dir: 'ltr',
  title: (app) => `What ${app} may send you`,
  lead: 'Messages about what you do yourself, such as orders, always come.',
  all: 'Yes, send me messages',
  save: 'Save',
  saved: 'Your choice was saved.',
  none: 'There is nothing to choose at the moment.',
  gone: 'This link does not work',
  goneText: 'It may be incomplete, or too old. Open the newest one that you were sent.',
}

const fa: PreferenceTexts = {
  dir: 'rtl',
  title: (app) => `پیام‌هایی که ${app} برای شما می‌فرستد`,
  lead: 'پیام‌های مربوط به کارهای خودتان، مانند سفارش‌ها، همیشه ارسال می‌شوند.',
  all: 'بله، برایم پیام بفرستید',
  save: 'ذخیره',
  saved: 'انتخاب شما ذخیره شد.',
  none: 'فعلاً چیزی برای انتخاب نیست.',
  gone: 'این پیوند کار نمی‌کند',
  goneText: 'شاید ناقص یا قدیمی باشد. تازه‌ترین پیوندی را که برایتان آمده باز کنید.',
}

const de: PreferenceTexts = {
  dir: 'ltr',
  title: (app) => `Was ${app} Ihnen senden darf`,
  lead: 'Nachrichten zu dem, was Sie selbst tun, etwa zu Bestellungen, kommen immer.',
  all: 'Ja, ich möchte Nachrichten',
  save: 'Speichern',
  saved: 'Ihre Auswahl wurde gespeichert.',
  none: 'Im Moment gibt es nichts auszuwählen.',
  gone: 'Dieser Link funktioniert nicht',
  goneText: 'Vielleicht ist er unvollständig oder zu alt. Öffnen Sie den neuesten, den Sie erhalten haben.',
}

const ar: PreferenceTexts = {
  dir: 'rtl',
  title: (app) => `ما يمكن أن يرسله ${app} إليك`,
  lead: 'الرسائل المتعلقة بما تقوم به بنفسك، مثل الطلبات، تصلك دائمًا.',
  all: 'نعم، أرسلوا إليّ الرسائل',
  save: 'حفظ',
  saved: 'تم حفظ اختيارك.',
  none: 'لا يوجد ما تختاره حاليًا.',
  gone: 'هذا الرابط لا يعمل',
  goneText: 'ربما يكون ناقصًا أو قديمًا. افتح أحدث رابط وصلك.',
}

const fr: PreferenceTexts = {
  dir: 'ltr',
  title: (app) => `Ce que ${app} peut vous envoyer`,
  lead: 'Les messages liés à vos propres actions, comme vos commandes, arrivent toujours.',
  all: 'Oui, envoyez-moi des messages',
  save: 'Enregistrer',
  saved: 'Votre choix est enregistré.',
  none: 'Il n’y a rien à choisir pour le moment.',
  gone: 'Ce lien ne fonctionne pas',
  goneText: 'Il est peut-être incomplet ou trop ancien. Ouvrez le plus récent que vous avez reçu.',
}

const es: PreferenceTexts = {
  dir: 'ltr',
  title: (app) => `Qué puede enviarte ${app}`,
  lead: 'Los mensajes sobre lo que haces tú, como tus pedidos, llegan siempre.',
  all: 'Sí, quiero recibir mensajes',
  save: 'Guardar',
  saved: 'Tu elección se ha guardado.',
  none: 'Por ahora no hay nada que elegir.',
  gone: 'Este enlace no funciona',
  goneText: 'Puede que esté incompleto o sea demasiado antiguo. Abre el último que recibiste.',
}

const tr: PreferenceTexts = {
  dir: 'ltr',
  title: (app) => `${app} size neler gönderebilir`,
  lead: 'Siparişler gibi kendi işlemlerinizle ilgili mesajlar her zaman gelir.',
  all: 'Evet, bana mesaj gönderin',
  save: 'Kaydet',
  saved: 'Seçiminiz kaydedildi.',
  none: 'Şu anda seçilecek bir şey yok.',
  gone: 'Bu bağlantı çalışmıyor',
  goneText: 'Eksik ya da çok eski olabilir. Size gönderilen en yeni bağlantıyı açın.',
}

const texts: Record<string, PreferenceTexts> = { en, fa, de, ar, fr, es, tr }

/** The languages that a reader wants, the most wanted first: `fa-IR,fa;q=0.9,en;q=0.5` → fa-ir, fa, en. */
export function readLanguages(header: string | undefined): string[] {
  return (header ?? '')
    .slice(0, 500)
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().toLowerCase().split(';')
      const quality = parameters.map((each) => /^\s*q=([\d.]+)$/.exec(each)?.[1]).find((each) => each !== undefined)
      return { tag: tag.replaceAll('_', '-'), quality: quality === undefined ? 1 : Number(quality) }
    })
    .filter(({ tag, quality }) => /^[a-z]{2,8}(-[a-z0-9]{1,8})*$/.test(tag) && quality > 0)
    .sort((one, other) => other.quality - one.quality)
    .map(({ tag }) => tag)
}

/** The page's own words, in the first of these languages that it has; English otherwise. */
export function pageTexts(languages: readonly string[]): { language: string; words: PreferenceTexts } {
  const language = languages.map((tag) => tag.split('-')[0] as string).find((tag) => Object.hasOwn(texts, tag)) ?? 'en'
  return { language, words: texts[language] as PreferenceTexts }
}

/** One of the texts of an app: in the first of these languages that it has, else in its first. */
export function pickText(own: Readonly<Record<string, string>>, languages: readonly string[]): string {
  const byTag = new Map(Object.entries(own).map(([tag, text]) => [tag.replaceAll('_', '-').toLowerCase(), text]))
  for (const wanted of languages) {
    for (let tag = wanted; tag !== ''; tag = tag.split('-').slice(0, -1).join('-')) {
      const text = byTag.get(tag)
      if (text !== undefined) return text
    }
  }
  return Object.values(own)[0] ?? ''
}
