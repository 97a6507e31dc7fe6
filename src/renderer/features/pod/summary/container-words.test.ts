import { describe, expect, it } from 'vitest'
import { fakeDetail, fakeRow } from '../../../bridge/fake-views.ts'
import type { ContainerView } from '../../../../shared/model/pod-detail.ts'
import { backOffShare, exitText, isAmiss, ranText, stateText } from './container-words.ts'

function container(part: Partial<ContainerView>): ContainerView {
  const [plain] = fakeDetail(fakeRow({ name: 'hello' })).containers
  if (plain === undefined) throw new Error('the fake detail has no container')
  return { ...plain, ...part }
}

describe('a container in words', () => {
  it.each([
    [{ state: 'running' }, 'running', false],
    [{ state: 'waiting', reason: 'ContainerCreating' }, 'waiting: ContainerCreating', false],
    [{ state: 'waiting', reason: 'PodInitializing' }, 'waiting: PodInitializing', false],
    [{ state: 'waiting', reason: 'RegistryUnavailable' }, 'waiting: RegistryUnavailable', true],
    [{ state: 'waiting', reason: 'CrashLoopBackOff' }, 'waiting: CrashLoopBackOff', true],
    [
      { state: 'terminated', reason: 'Completed', exitCode: 0 },
      'terminated: Completed, exit 0, ended well',
      false,
    ],
    [
      { state: 'terminated', reason: 'Error', exitCode: 143 },
      'terminated: Error, exit 143, ended by SIGTERM',
      true,
    ],
  ])('%j', (part, words, amiss) => {
    expect([stateText(container(part)), isAmiss(container(part))]).toEqual([words, amiss])
  })

  it('says what an exit code means, where it means something to all', () => {
    expect([137, 127, 42].map(exitText)).toEqual([
      'exit 137, ended by SIGKILL',
      'exit 127, the command was not found',
      'exit 42',
    ])
  })

  it('says how long it ran only where both ends are known', () => {
    expect(ranText('2026-11-21T14:02:00Z', '2026-11-21T14:02:12Z')).toBe('ran 12 s')
    expect([ranText(null, '2026-11-21T14:02:12Z'), ranText('2026-11-21T14:02:00Z', null)]).toEqual([
      '',
      '',
    ])
  })

  it.each([
    [{ endedAt: 1000, until: 5000, now: 2000 }, 0.25],
    [{ endedAt: 1000, until: 5000, now: 500 }, 0],
    [{ endedAt: 1000, until: 5000, now: 9000 }, 1],
    [{ endedAt: null, until: 5000, now: 2000 }, 0],
    [{ endedAt: null, until: 5000, now: 5000 }, 1],
  ])('is through %j of its back-off', (wait, share) => {
    expect(backOffShare(wait)).toBe(share)
  })
})
