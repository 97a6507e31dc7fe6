import { describe, expect, it } from 'vitest'
import type {
  ContainerStatus,
  Pod,
  PodStatus,
  ContainerState,
} from '../../../src/shared/kubernetes/objects.ts'
import { fakeStaticPod } from '../../../src/main/kubelet/pod/fake-pod.ts'
import { Bench, containerStatus, deletedPod, pending, running, seconds } from './status-fixture.ts'
import { containersOf, podOf, sidecar } from '../../../src/main/kubelet/container/fake-pods.ts'
import { terminatedStatus } from '../../../src/main/kubelet/status/terminated-status.ts'

describe('status#calls', () => {
  describe('SetPodStatus and GetPodStatus', () => {
    it('gives it back with times and generation, and by the uid of a mirror too', async () => {
      const bench = new Bench()
      const pod = await bench.put()
      bench.manager.setPodStatus(pod, pending, [])
      expect(bench.manager.getPodStatus(pod.metadata.uid)).toEqual({
        ...pending,
        conditions: pending.conditions?.map((condition) => ({
          ...condition,
          lastTransitionTime: seconds('01'),
        })),
        startTime: seconds('01'),
        observedGeneration: 1,
      })
      const { pod: staticPod, mirror } = await bench.putStatic()
      bench.manager.setPodStatus(staticPod, running, [])
      expect(bench.manager.getPodStatus(mirror.metadata.uid)?.phase).toBe('Running')
      expect(bench.manager.getPodStatus('unknown')).toBeUndefined()
    })
  })

  describe('SetContainerReadiness and SetContainerStartup', () => {
    it('flips readiness with its two conditions, or startup, and sends at once', async () => {
      const bench = new Bench()
      const pod = await bench.put()
      const { uid } = pod.metadata
      bench.manager.setPodStatus(pod, running, [])
      await bench.clock.advance(1000)
      bench.manager.setContainerReadiness(uid, 'fake://c-0', false, [])
      expect(bench.manager.getPodStatus(uid)).toMatchObject({
        containerStatuses: [{ ready: false }],
        conditions: [
          {
            type: 'Ready',
            status: 'False',
            reason: 'ContainersNotReady',
            message: 'containers with unready status: [c]',
            lastTransitionTime: seconds('02'),
          },
          { type: 'ContainersReady', status: 'False', lastTransitionTime: seconds('02') },
        ],
      })
      bench.manager.setContainerStartup(uid, 'c-0', true, [])
      expect(bench.manager.getPodStatus(uid)?.containerStatuses).toMatchObject([{ started: true }])
      expect(bench.manager.versions(uid)?.cached).toBe(3)
      bench.manager.setContainerReadiness(uid, 'c-0', false, [])
      bench.manager.setContainerStartup(uid, 'c-0', true, [])
      expect(bench.manager.versions(uid)?.cached).toBe(3)
      await bench.settle()
      expect(bench.api.pod('web')?.status?.containerStatuses).toMatchObject([
        { ready: false, started: true },
      ])
    })

    it('makes no condition when a container has started', async () => {
      const bench = new Bench()
      const pod = await bench.put()
      const { conditions: _none, ...status } = running
      bench.manager.setPodStatus(pod, status, [])
      bench.manager.setContainerStartup(pod.metadata.uid, 'c-0', true, [])
      expect(bench.manager.getPodStatus(pod.metadata.uid)).toMatchObject({
        containerStatuses: [{ started: true }],
      })
      expect(bench.manager.getPodStatus(pod.metadata.uid)?.conditions ?? []).toEqual([])
    })

    it('takes the result of a sidecar too', async () => {
      const bench = new Bench()
      const pod = await bench.put({
        spec: { initContainers: [{ name: 's', image: 'i', restartPolicy: 'Always' }] },
      })
      const { uid } = pod.metadata
      const initContainerStatuses = [containerStatus('s', { containerID: 'fake://s-0' })]
      bench.manager.setPodStatus(pod, { ...running, initContainerStatuses }, [])
      bench.manager.setContainerReadiness(uid, 's-0', true, [])
      expect(bench.manager.getPodStatus(uid)?.initContainerStatuses).toMatchObject([
        { ready: true },
      ])
    })

    it('changes nothing for unknown pods and containers', async () => {
      const bench = new Bench()
      const pod = await bench.put()
      const { uid } = pod.metadata
      bench.manager.setContainerReadiness('unknown', 'c-0', true, [])
      bench.manager.setContainerReadiness(uid, 'c-0', true, [])
      bench.manager.setPodStatus(pod, running, [])
      bench.manager.setContainerReadiness(uid, 'gone', false, [])
      expect(bench.manager.versions(uid)?.cached).toBe(1)
    })
  })

  describe('RemoveOrphanedStatuses', () => {
    it('drops statuses of unknown uids', async () => {
      const bench = new Bench()
      const pod = await bench.put()
      const other = await bench.put({ name: 'other' })
      bench.manager.setPodStatus(pod, pending, [])
      bench.manager.setPodStatus(other, pending, [])
      bench.manager.removeOrphanedStatuses(new Set([other.metadata.uid]))
      expect(bench.manager.getPodStatus(pod.metadata.uid)).toBeUndefined()
      expect(bench.manager.getPodStatus(other.metadata.uid)).toBeDefined()
    })
  })

  describe('TerminatePod', () => {
    describe('what it says of the containers', () => {
      function statusOf(
        name: string,
        state: ContainerState,
        rest: Partial<ContainerStatus> = {},
      ): ContainerStatus {
        return { name, state, ready: false, restartCount: 0, image: 'i', imageID: '', ...rest }
      }

      const waiting: ContainerState = { waiting: { reason: 'PodInitializing' } }
      const running: ContainerState = { running: {} }
      const succeeded: ContainerState = { terminated: { exitCode: 0 } }
      const lost: ContainerState = {
        terminated: {
          exitCode: 137,
          reason: 'ContainerStatusUnknown',
          message: 'The container could not be located when the pod was terminated',
        },
      }

      const states = (statuses: readonly ContainerStatus[] = []) =>
        statuses.map(({ state }) => state)

      describe('the phase of a terminated pod', () => {
        it.each([
          ['Succeeded', 'Succeeded'],
          ['Failed', 'Failed'],
          ['Running', 'Failed'],
          ['Pending', 'Failed'],
          ['Unknown', 'Failed'],
          [undefined, 'Failed'],
        ] as const)('that was %s is %s', (old, phase) => {
          expect(terminatedStatus(podOf(), old === undefined ? {} : { phase: old }).phase).toBe(
            phase,
          )
        })

        it('stays as it is for a static pod', () => {
          expect(terminatedStatus(fakeStaticPod(), { phase: 'Running' }).phase).toBe('Running')
        })
      })

      describe('the regular containers of a terminated pod', () => {
        it('have all ended; those whose end is not known with 137', () => {
          const status = terminatedStatus(podOf({ containers: containersOf('a', 'b', 'c') }), {
            phase: 'Running',
            containerStatuses: [
              statusOf('a', succeeded),
              statusOf('b', running),
              statusOf('c', waiting),
            ],
          })
          expect(states(status.containerStatuses)).toEqual([succeeded, lost, lost])
        })

        function withInit(status: PodStatus, init = containersOf('i1', 'i2')): Pod {
          return podOf({ initContainers: init }, { status })
        }

        const initSidecar = [...containersOf('i1'), sidecar('s')]
        it.each([
          [
            'was never initialised',
            withInit({ containerStatuses: [statusOf('c', waiting)] }),
            false,
          ],
          ['once ran', withInit({ containerStatuses: [statusOf('c', running)] }), true],
          [
            'once ended',
            withInit({ containerStatuses: [statusOf('c', waiting, { lastState: succeeded })] }),
            true,
          ],
          [
            'finished its last init container',
            withInit({
              initContainerStatuses: [statusOf('i1', succeeded), statusOf('i2', succeeded)],
            }),
            true,
          ],
          [
            'finished its last init container before it waited again',
            withInit({
              initContainerStatuses: [
                statusOf('i1', succeeded),
                statusOf('i2', waiting, { lastState: succeeded }),
              ],
            }),
            true,
          ],
          [
            'failed in its last init container',
            withInit({
              initContainerStatuses: [
                statusOf('i1', succeeded),
                statusOf('i2', { terminated: { exitCode: 1 } }),
              ],
            }),
            false,
          ],
          [
            'started its last sidecar',
            withInit(
              {
                initContainerStatuses: [
                  statusOf('i1', succeeded),
                  statusOf('s', running, { started: true }),
                ],
              },
              initSidecar,
            ),
            true,
          ],
          [
            'did not start its last sidecar',
            withInit(
              {
                initContainerStatuses: [
                  statusOf('i1', succeeded),
                  statusOf('s', running, { started: false }),
                ],
              },
              initSidecar,
            ),
            false,
          ],
          [
            'has an init status of another name',
            withInit({ initContainerStatuses: [statusOf('x', succeeded)] }),
            false,
          ],
          [
            'has an init status of another place',
            withInit({ initContainerStatuses: [statusOf('i2', succeeded)] }),
            false,
          ],
        ])('of a pod that %s are said to have run: %s', (_, pod, haveEnded) => {
          const status = terminatedStatus(pod, { containerStatuses: [statusOf('c', waiting)] })
          expect(states(status.containerStatuses)).toEqual([haveEnded ? lost : waiting])
        })
      })

      describe('the init containers of a terminated pod', () => {
        it.each([
          ['none that started', [waiting, waiting], [lost, waiting]],
          ['the first that ran', [running, waiting], [lost, waiting]],
          ['both that ran', [succeeded, running], [succeeded, lost]],
          ['a waiting one before one that ran', [waiting, running], [lost, lost]],
        ])('with %s', (_, before, after) => {
          const pod = podOf({ initContainers: containersOf('i0', 'i1') })
          const initContainerStatuses = before.map((state, index) => statusOf(`i${index}`, state))
          const status = terminatedStatus(pod, { initContainerStatuses })
          expect(states(status.initContainerStatuses)).toEqual(after)
        })
      })
    })

    it('leaves a pod Failed whose last status was not terminal, with every container ended', async () => {
      const bench = new Bench()
      const pod = await deletedPod(bench)
      bench.manager.terminatePod(pod, [])
      await bench.settle()
      expect(bench.trace.data('status.patched').at(-1)?.phase).toBe('Failed')
      expect(bench.api.pod('web')).toBeUndefined()
    })

    it('goes by the pod’s own status when nothing is cached', async () => {
      const bench = new Bench()
      const pod = await bench.put({ status: running })
      bench.manager.terminatePod(pod, [])
      const status = bench.manager.getPodStatus(pod.metadata.uid)
      expect(status?.phase).toBe('Failed')
      expect(status?.containerStatuses?.map(({ state }) => state?.terminated?.exitCode)).toEqual([
        137,
      ])
    })
  })
})
