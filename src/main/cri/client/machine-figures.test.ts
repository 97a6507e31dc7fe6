import { describe, expect, it } from 'vitest'
import { err } from '../../../shared/result.ts'
import { machineFigures } from './machine-figures.ts'

function figuresOf(files: Readonly<Record<string, string>>) {
  const imageService = {
    imageFsInfo: () => Promise.resolve(err({ kind: 'unimplemented' as const, message: '' })),
  }
  const read = (path: string): Promise<string | undefined> => Promise.resolve(files[path])
  return machineFigures({ now: () => 5, folder: '/', imageService, read })
}

const meminfo = 'MemTotal:       1000 kB\nMemFree:         300 kB\nInactive(file):  100 kB\n'

describe('the figures of a machine', () => {
  it('are those of the root cgroup of cgroups v1', async () => {
    const { node } = figuresOf({
      '/proc/meminfo': meminfo,
      '/sys/fs/cgroup/memory/memory.usage_in_bytes': '512000\n',
      '/sys/fs/cgroup/memory/memory.stat': 'inactive_file 1\ntotal_inactive_file 102400\n',
    })
    expect(await node()).toMatchObject({
      value: {
        memory: { time: 5, usageBytes: 512_000, workingSetBytes: 409_600, availableBytes: 614_400 },
      },
    })
  })

  it('are those of /proc/meminfo where the root cgroup has no use', async () => {
    const { node } = figuresOf({ '/proc/meminfo': meminfo })
    expect(await node()).toMatchObject({
      value: { memory: { usageBytes: 716_800, workingSetBytes: 614_400, availableBytes: 409_600 } },
    })
  })

  it('have the smaller limit of process IDs, and all tasks', async () => {
    const { node } = figuresOf({
      '/proc/sys/kernel/pid_max': '32768\n',
      '/proc/sys/kernel/threads-max': '1000\n',
      '/proc/loadavg': '0.1 0.2 0.3 2/345 6789\n',
    })
    expect(await node()).toMatchObject({
      value: { memory: { time: 5 }, rlimit: { maxPid: 1000, runningProcesses: 345 } },
    })
  })

  it('are of one disk where all folders are on it', async () => {
    const { node, diskLayout } = figuresOf({})
    expect(await diskLayout()).toEqual({
      ok: true,
      value: { hasDedicatedImageFs: false, hasDedicatedContainerFs: false },
    })
    const figures = await node()
    expect(figures.ok && (figures.value.nodeFs?.capacityBytes ?? 0) > 0).toBe(true)
  })
})
