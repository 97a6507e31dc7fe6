import { expect, it } from 'vitest'

const sources = import.meta.glob<string>(
  ['../{features,ui,app}/**/*.tsx', '!../**/*.test.tsx', '!../**/fake-*'],
  { query: '?raw', import: 'default', eager: true },
)

/** An attribute that a reader sees or hears, with the expression that is its value. */
const attribute =
  /\b(?:aria-label|title|placeholder|alt|label)=\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}/g

/** Text in quotes, without the inserted values of a template. */
function literals(expression: string): readonly string[] {
  const plain = expression.replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, ' ').replace(/\['\w+'\]/g, '')
  return [...plain.matchAll(/'([^']*)'|`([^`]*)`/g)]
    .map(([, quoted = '', template = '']) => quoted + template)
    .filter((words) => /[a-z]{2}/i.test(words))
}

it('the catalog holds every label and title of the page', () => {
  const found = Object.entries(sources).flatMap(([file, source]) =>
    [...source.matchAll(attribute)]
      .flatMap(([, expression = '']) => literals(expression.replace(/[!=]== '[^']*'/g, '')))
      .map((words) => `${file}: ${words}`),
  )
  expect(found).toEqual([])
})
