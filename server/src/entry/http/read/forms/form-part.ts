import { limits } from '#base/config.ts'
import { RequestError } from '#base/errors.ts'
import { checkFormSize } from './check-form-size.ts'

/** A name or one of its bracketed parts, with the texts sent under it and the parts that follow it. */
export class FormPart {
  /** Sent with empty brackets, which turn even a single text into a list. */
  isList = false
  private text: string | undefined
  private moreTexts: string[] | undefined
  /** The first part that follows. Most parts are followed by one or none, and need no map. */
  private key = ''
  private part: FormPart | undefined
  private moreParts: Map<string, FormPart> | undefined
  private hasNames = false

  add(text: string): void {
    if (this.text === undefined) this.text = text
    else if (this.moreTexts === undefined) this.moreTexts = [text]
    else this.moreTexts.push(text)
  }

  /** Has both texts and named parts, which neither a list nor an object can hold. */
  get isMixed(): boolean {
    return this.hasNames && this.text !== undefined
  }

  inBrackets(key: string): FormPart {
    return this.find(key) ?? this.insert(key, isIndex(key))
  }

  named(key: string): FormPart {
    return this.find(key) ?? this.insert(key, false)
  }

  toObject(): Record<string, unknown> {
    const object: Record<string, unknown> = {}
    if (this.part) object[this.key] = this.part.toValue()
    if (this.moreParts) for (const [key, part] of this.moreParts) object[key] = part.toValue()
    return object
  }

  private find(key: string): FormPart | undefined {
    return this.part !== undefined && this.key === key ? this.part : this.moreParts?.get(key)
  }

  private insert(key: string, asIndex: boolean): FormPart {
    if (asIndex) checkFormSize(Number(key), limits.formIndex, 'as an index')
    else this.hasNames = true
    if (key === '__proto__') throw new RequestError('invalid-request', 'The key "__proto__" is not allowed.')
    const part = new FormPart()
    if (this.part === undefined) {
      this.key = key
      this.part = part
    } else {
      this.moreParts ??= new Map()
      this.moreParts.set(key, part)
    }
    return part
  }

  private toValue(): unknown {
    if (this.hasNames) return this.toObject()
    if (this.part === undefined && this.moreTexts === undefined && !this.isList) return this.text
    return this.toList()
  }

  /** Ordered by index, without gaps. Texts without an index and those that repeat one come last. */
  private toList(): unknown[] {
    const parts = this.inOrder()
    const list = parts.map((part) => (part.isRepeated ? part.text : part.toValue()))
    if (this.text !== undefined) list.push(this.text)
    for (const text of this.moreTexts ?? []) list.push(text)
    for (const part of parts) if (part.isRepeated) for (const text of part.moreTexts ?? []) list.push(text)
    return list
  }

  /** The same index was sent with several texts, which belong to the surrounding list. */
  private get isRepeated(): boolean {
    return this.moreTexts !== undefined && this.part === undefined && !this.isList
  }

  private inOrder(): FormPart[] {
    if (this.part === undefined) return []
    if (this.moreParts === undefined) return [this.part]
    const entries: [string, FormPart][] = [[this.key, this.part], ...this.moreParts]
    return entries.sort(([a], [b]) => Number(a) - Number(b)).map(([, part]) => part)
  }
}

function isIndex(key: string): boolean {
  const first = key.charCodeAt(0)
  return first >= 48 && first <= 57 && /^(?:0|[1-9]\d*)$/.test(key)
}
