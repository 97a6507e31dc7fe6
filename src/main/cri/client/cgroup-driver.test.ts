import { describe, expect, it } from 'vitest'
import { err, ok } from '../../../shared/result.ts'
import { usableCgroupDriver } from './cgroup-driver.ts'

const path = '/run/c.sock'
const unimplemented = err({ kind: 'unimplemented', message: 'no' } as const)

function runtimeOf(cgroupDriver: 'SYSTEMD' | 'CGROUPFS') {
  return {
    runtimeConfig: async () => ok({ linux: { cgroupDriver } }),
    information: async () => unimplemented,
  }
}

/** containerd before 2.0. */
function oldContainerd(config: string) {
  return {
    runtimeConfig: async () => unimplemented,
    information: async () => ok({ config }),
  }
}

const withSystemd = JSON.stringify({
  containerd: {
    defaultRuntimeName: 'runc',
    runtimes: { runc: { options: { SystemdCgroup: true } } },
  },
})

describe('usableCgroupDriver', () => {
  it("is the runtime's", async () => {
    expect(await usableCgroupDriver(runtimeOf('CGROUPFS'), path, true)).toEqual(ok('CGROUPFS'))
    expect(await usableCgroupDriver(runtimeOf('SYSTEMD'), path, true)).toEqual(ok('SYSTEMD'))
  })

  it('is in the configuration of a containerd that has no call for it', async () => {
    expect(await usableCgroupDriver(oldContainerd(withSystemd), path, true)).toEqual(ok('SYSTEMD'))
    const other = withSystemd.replace('"runc"', '"other"')
    for (const config of [other, '{}', 'no JSON'])
      expect(await usableCgroupDriver(oldContainerd(config), path, true)).toEqual(ok('CGROUPFS'))
  })

  it('is refused where systemd does not run', async () => {
    expect(await usableCgroupDriver(runtimeOf('SYSTEMD'), path, false)).toEqual(
      err(
        'The container runtime at /run/c.sock makes cgroups with systemd, which does not run here (there is no /run/systemd/system): set its cgroup driver to cgroupfs.',
      ),
    )
  })

  it('is not known of a runtime that ends when it is asked', async () => {
    const gone = err({ kind: 'unavailable', message: 'gone' } as const)
    const runtime = { runtimeConfig: async () => gone, information: async () => gone }
    expect(await usableCgroupDriver(runtime, path, true)).toEqual(
      err('The container runtime at /run/c.sock ended while it was asked: start it again.'),
    )
  })
})
