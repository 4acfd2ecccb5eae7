import { describe, expect, it } from 'vitest'
import { fillBody, fillUrl } from './fill-template.ts'

const sms = { to: '+98912', text: 'سلام "x" & {{to}} \\ \n$& é', reference: 'r-1' }

describe('the request to an SMS gateway', () => {
  it('keeps the text inside its JSON string', () => {
    const body = fillBody('{"to":"{{to}}","text":"{{ text }}","ref":"{{reference}}"}', 'json', sms)
    expect(JSON.parse(body)).toEqual({ to: sms.to, text: sms.text, ref: sms.reference })
  })

  it('keeps the text inside its form field', () => {
    const form = new URLSearchParams(fillBody('to={{to}}&text={{text}}&key=a', 'form', sms))
    expect(Object.fromEntries(form)).toEqual({ to: sms.to, text: sms.text, key: 'a' })
  })

  it('keeps the text inside the query of a URL', () => {
    const url = new URL(fillUrl('https://sms.example/send?to={{to}}&text={{text}}', sms))
    expect(Object.fromEntries(url.searchParams)).toEqual({ to: sms.to, text: sms.text })
  })

  it('writes plain text as it is, and a lone surrogate as what stands for it', () => {
    expect(fillBody('{{to}}: {{text}}', 'text', { ...sms, text: 'a\uD800' })).toBe('+98912: a\uFFFD')
  })
})
