import { describe, expect, it } from 'vitest'
import { fakeDetail, fakeRow } from '../../../bridge/fake-views.ts'
import type { ContainerView } from '../../../../shared/model/pod-detail.ts'
import { text } from '../../../text/text.ts'
import { isFailing, ranText } from './container-words.ts'

function container(part: Partial<ContainerView>): ContainerView {
  const [plain] = fakeDetail(fakeRow({ name: 'hello' })).containers
  if (plain === undefined) throw new Error('the fake detail has no container')
  return { ...plain, ...part }
}

describe('a container', () => {
  it.each([
    [{ state: 'running' }, 'running', false],
    [{ state: 'waiting', reason: 'ContainerCreating' }, 'waiting: ContainerCreating', false],
    [{ state: 'waiting', reason: 'PodInitializing' }, 'waiting: PodInitializing', false],
    [{ state: 'waiting', reason: 'RegistryUnavailable' }, 'waiting: RegistryUnavailable', true],
    [{ state: 'waiting', reason: 'CrashLoopBackOff' }, 'waiting: CrashLoopBackOff', true],
    [
      { state: 'terminated', reason: 'Completed', exitCode: 0 },
      'terminated: Completed, exit 0',
      false,
    ],
    [
      { state: 'terminated', reason: 'Error', exitCode: 143 },
      'terminated: Error, exit 143, ended by SIGTERM',
      true,
    ],
  ])('%j is shown as %s, failing: %s', (part, words, failing) => {
    expect([text.pod.containers.state(container(part)), isFailing(container(part))]).toEqual([
      words,
      failing,
    ])
  })

  it('shows the meaning of an exit code unless only the program knows it', () => {
    expect([137, 127, 42].map(text.pod.containers.exit)).toEqual([
      'exit 137, ended by SIGKILL',
      'exit 127, the command was not found',
      'exit 42',
    ])
  })

  it('shows how long it ran only when both times are known', () => {
    expect(ranText('2026-11-21T14:02:00Z', '2026-11-21T14:02:12Z')).toBe('ran 12 s')
    expect([ranText(null, '2026-11-21T14:02:12Z'), ranText('2026-11-21T14:02:00Z', null)]).toEqual([
      '',
      '',
    ])
  })
})
