import type { TemplateFault } from '@peyk/contract'
import { expect, it } from 'vitest'
import { findTemplateFault } from './template-engine.ts'
import { sayTemplateFault } from './template-fault.ts'

it.each<[string, TemplateFault, string]>([
  [
    'Hi {{ user.name, welcome',
    { code: 'output-not-closed', part: '{{ user.name, welcome' },
    '"{{ user.name, welcome" is not closed; write }} where it ends',
  ],
  ['{{ user.name } }', { code: 'output-not-closed', part: '{{ user.name } }' }, 'not closed'],
  ['one\ntwo {% if a', { code: 'tag-not-closed', part: '{% if a' }, 'write %} where it ends'],
  ['{% if a %}x', { code: 'block-not-closed', part: 'if', suggestion: 'endif' }, '{% if %} has no {% endif %}'],
  ['{% raw %}x', { code: 'block-not-closed', part: 'raw', suggestion: 'endraw' }, '{% raw %} has no {% endraw %}'],
  [
    '{% foo %}',
    { code: 'unknown-tag', part: 'foo', suggestion: 'for' },
    'there is no tag "foo"; perhaps "for" is meant',
  ],
  ['{% nosuchtag %}', { code: 'unknown-tag', part: 'nosuchtag' }, 'there is no tag "nosuchtag"'],
  ['x{% endfor %}', { code: 'unmatched-tag', part: 'endfor' }, '{% endfor %} belongs to no tag before it'],
  [
    '{{ user.name | upcse }}',
    { code: 'unknown-filter', part: 'upcse', suggestion: 'upcase' },
    'there is no filter "upcse"; perhaps "upcase" is meant',
  ],
  ['{{ a | nosuchfilter }}', { code: 'unknown-filter', part: 'nosuchfilter' }, 'there is no filter "nosuchfilter"'],
  ['Hi {{ }}', { code: 'empty-output' }, 'nothing is named between the brackets'],
  ['one\n{{ a | default "x" }}', { code: 'unreadable', part: '"x" }}' }, 'it cannot be read from ""x" }}" on'],
  [`{{ ${'x'.repeat(100)}`, { code: 'output-not-closed', part: `{{ ${'x'.repeat(37)}…` }, 'not closed'],
])('what is wrong with %j is told by its part', (text, fault, sentence) => {
  const found = findTemplateFault(text)
  expect(found).toEqual(fault)
  expect(sayTemplateFault(found as TemplateFault)).toContain(sentence)
})
