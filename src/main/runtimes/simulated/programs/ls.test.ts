import { describe, expect, it } from 'vitest'
import { FakeContainer } from '../process/fake-container.ts'

async function printed(script: string): Promise<string> {
  const container = new FakeContainer({ command: ['sh', '-c', script] }, { hasOutput: true })
  await container.seconds(10)
  expect(container.unreadable).toEqual([])
  return container.output.stdout
}

describe('ls', () => {
  it('writes the year of an old file, and the size with its unit if asked', async () => {
    expect(await printed('ls -l /etc/group; cd /tmp; printf %1500s x > big; ls -lh big')).toBe(
      [
        '-rw-r--r--    1 root     root            10 Jan  1  2025 /etc/group\n',
        '-rw-r--r--    1 root     root          1.5K Jan  1 00:00 big\n',
      ].join(''),
    )
  })

  it('lists the newest first with -t, and the oldest with -tr', async () => {
    const script = 'cd /tmp; touch b; sleep 1; touch a; sleep 1; touch c; ls -t; ls -tr'
    expect(await printed(script)).toBe('c\na\nb\nb\na\nc\n')
  })
})
