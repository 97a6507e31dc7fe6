import { expect, it } from 'vitest'
import { apiPod, container } from '../../../../shared/model/forecast/fake-act-facts.ts'
import { keyedContainer } from './keyed-container.ts'

const sidecar = { ...container, name: 'side', kind: 'sidecar' } as const
const ended = { ...container, name: 'ended', isRunning: false }

it.each([
  [[sidecar, ended, container], 'side', 'side'],
  [[sidecar, ended, container], '', 'c'],
  [[sidecar, ended], '', 'side'],
  [[ended], '', 'ended'],
  [[], '', undefined],
])('of %o, with the focus on %o: %o', (containers, focused, found) => {
  expect(keyedContainer({ ...apiPod, containers }, focused)).toBe(found)
})
