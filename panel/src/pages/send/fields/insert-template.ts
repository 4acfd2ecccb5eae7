/** The template that asks for an attribute, with a word for those who have none. */
export function attributeTemplate(name: string, instead: string): string {
  const path = /^[\p{L}_][\p{L}\p{N}_-]*$/u.test(name) ? `user.${name}` : `user[${quote(name)}]`
  return expression(path, instead)
}

export function expression(path: string, instead = ''): string {
  return instead === '' ? `{{ ${path} }}` : `{{ ${path} | default: ${quote(instead)} }}`
}

/** Liquid knows no escapes: a text with one kind of quotes stands in the other. */
function quote(text: string): string {
  return text.includes('"') ? `'${text.replaceAll("'", '’')}'` : `"${text}"`
}

export function isTemplate(text: string): boolean {
  return text.includes('{{') || text.includes('{%')
}
