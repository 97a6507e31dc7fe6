import { describe, expect, it } from 'vitest'
import { FakeContainer } from '../process/fake-container.ts'

const root = { uid: 0, gid: 0, supplementalGroups: [] }

async function printed(script: string, shell = 'sh', user = root): Promise<readonly string[]> {
  const line = { command: [shell, '-c', script], user }
  const container = new FakeContainer(line, {
    hasOutput: true,
    files: { '/tmp/run.sh': '#!/bin/sh\nps\n: done\n' },
  })
  await container.seconds(5)
  expect(container.unreadable).toEqual([])
  return container.output.stdout.split('\n').slice(0, -1)
}

// The lines are those of busybox 1.36, which was asked in a PID namespace (ps.ts has no column that depends on time).
describe('ps', () => {
  it.each(['ps', 'ps aux', 'ps -ef', 'ps w'])(
    '%s: the shell and what runs behind it',
    async (ps) => {
      expect(await printed(`sleep 9 & ${ps}; :`)).toEqual([
        'PID   USER     TIME  COMMAND',
        `    1 root      0:00 sh -c sleep 9 & ${ps}; :`,
        '    2 root      0:00 sleep 9',
        `    3 root      0:00 ${ps}`,
      ])
    },
  )

  it('has the columns that are asked for', async () => {
    expect(await printed('sleep 9 & ps -o comm,pid,user,args; :')).toEqual([
      'COMMAND          PID   USER     COMMAND',
      'sh                   1 root     sh -c sleep 9 & ps -o comm,pid,user,args; :',
      'sleep                2 root     sleep 9',
      'ps                   3 root     ps -o comm,pid,user,args',
    ])
  })

  it('shows the last command of a script in the place of the shell, also by exec', async () => {
    expect(await printed('sleep 9 & ps -o pid,args')).toEqual([
      'PID   COMMAND',
      '    1 ps -o pid,args',
      '    2 sleep 9',
    ])
    const lines = await printed('exec ps -o args')
    expect(lines).toEqual(['COMMAND', 'ps -o args'])
  })

  it('shows the shell while it has a trap, which it has to run', async () => {
    const lines = await printed("trap 'exit 3' TERM\nps -o args")
    expect(lines).toEqual(['COMMAND', "sh -c trap 'exit 3' TERM ps -o args", 'ps -o args'])
  })

  it('shows users that may have a name as unknown', async () => {
    const lines = await printed('ps -o user; :', 'sh', { ...root, uid: 2000 })
    expect(lines).toEqual(['USER', '2000', '2000'])
    expect(await printed('ps -o user; :', 'sh', { ...root, uid: 65 })).not.toContain('65')
  })

  it.each(['ps -Z', 'ps -o ppid', 'ps -p 1'])('%s is not read', async (script) => {
    const container = new FakeContainer({ command: ['sh', '-c', script] })
    await container.seconds(1)
    expect(container.unreadable).toEqual([script])
  })

  it('is not read in other images, which have another one, or none', async () => {
    const container = new FakeContainer({ image: 'nginx', command: ['sh', '-c', 'ps'] })
    await container.seconds(1)
    expect(container.unreadable).toEqual(['ps of another image than busybox and alpine'])
  })
})
