import { expect, it } from 'vitest'
import { nodeSelector, podSelector } from '../../../shared/model/row-selectors.ts'
import { text } from '../../text/text.ts'

const { hints } = text.tables.selectors

it.each([
  ['pods', podSelector, hints.pods],
  ['nodes', nodeSelector, hints.nodes],
] as const)('the hints of the selectors of %s are selectors that it reads', (_, read, hint) => {
  const [, labels = ''] = hint.labels.split(' ')
  const [, fields = ''] = hint.fields.split(' ')
  expect(fields).not.toBe('')
  expect(read({ labels, fields })).toMatchObject({ ok: true })
})
