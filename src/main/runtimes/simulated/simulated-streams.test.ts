import { describe, expect, it } from 'vitest'
import type { ContainerConfig } from '../../kubelet/ports.ts'
import { FakePod } from './network/fake-pod.ts'
import type { RunningCommand, StreamRequest, Streaming } from './streams.ts'

type Run = Parameters<Streaming['command']>[1]

/** A client of exec and attach. */
class Client {
  output = ''
  exit: unknown
  #run: Run | undefined
  #running: RunningCommand | undefined

  readonly streaming: Streaming = {
    command: (_request, run) => {
      this.#run = run
      return 'url'
    },
    portForward: () => 'url',
  }

  open(): void {
    const append = (text: string): void => {
      this.output += text
    }
    this.output = ''
    this.exit = undefined
    this.#running = this.#run?.({ stdout: append, stderr: append })
    void this.#running?.ended.then((result) => {
      this.exit = result.ok ? result.value : result.error.message
    })
  }

  type(text: string): void {
    this.#running?.input.receive(text)
  }

  end(): void {
    this.#running?.input.end()
  }

  kill(): void {
    this.#running?.kill()
  }
}

const idle = { command: ['sleep', '1d'] }

async function started(config: Partial<ContainerConfig> = idle) {
  const client = new Client()
  const pod = new FakePod('busybox', { streaming: client.streaming })
  await pod.start({ image: 'busybox', ...config })
  const exec = async (cmd: readonly string[], request: Partial<StreamRequest> = {}) => {
    const streams = { stdin: true, stdout: true, stderr: true, tty: false, ...request }
    await pod.runtime.exec({ containerId: pod.id, cmd, ...streams })
    client.open()
  }
  const attach = async (request: Partial<StreamRequest> = {}) => {
    const streams = { stdin: true, stdout: true, stderr: true, tty: false, ...request }
    await pod.runtime.attach({ containerId: pod.id, ...streams })
    client.open()
  }
  return { pod, client, exec, attach }
}

describe('exec', () => {
  it('gives the input to the process until its end', async () => {
    const { pod, client, exec } = await started()
    await exec(['cat'])
    client.type('one\ntw')
    expect(client.output).toBe('one\ntw')
    client.type('o')
    client.end()
    await pod.clock.advance(0)
    expect(client.output).toBe('one\ntwo')
    expect(client.exit).toBe(0)
  })

  it('runs the commands that a shell reads, and keeps its state', async () => {
    const { pod, client, exec } = await started()
    await exec(['sh'])
    client.type('a=1; cd /tmp\nif true; then\n')
    client.type('echo "$a\n$(pwd)"\nfi\nf() { echo in f; }\nf\nvi x\necho $?\nexit 4\necho no\n')
    await pod.clock.advance(0)
    expect(client.output).toBe(
      '1\n/tmp\nin f\nsh: the simulated shell does not read this: vi is not a command that is read\n127\n',
    )
    expect(client.exit).toBe(4)
  })

  it('exits with the last status at the end of the input', async () => {
    const { pod, client, exec } = await started()
    await exec(['/bin/sh', '-i'])
    client.type('false\n')
    client.end()
    await pod.clock.advance(0)
    expect([client.output, client.exit]).toEqual(['', 1])
  })

  it('has a prompt, an echo and line editing on a terminal', async () => {
    const { pod, client, exec } = await started()
    await exec(['sh'], { tty: true })
    expect(client.output).toBe('/ # ')
    client.type('ecjo\u007f\u007fho hi\rcd /tmp\r')
    expect(client.output).toBe('/ # ecjo\b \b\b \bho hi\r\nhi\r\n/ # cd /tmp\r\n/tmp # ')
    client.type('\u0004')
    await pod.clock.advance(0)
    expect(client.exit).toBe(0)
  })

  it('is interrupted by Ctrl+C: a shell goes on, another program ends', async () => {
    const { pod, client, exec } = await started()
    await exec(['sh'], { tty: true })
    client.type('sleep 1000\r')
    await pod.clock.advance(5000)
    client.type('\u0003echo $?\r')
    expect(client.output).toBe('/ # sleep 1000\r\n^C\r\n/ # echo $?\r\n130\r\n/ # ')
    await exec(['sleep', '1000'], { tty: true })
    client.type('\u0003')
    await pod.clock.advance(0)
    expect(client.exit).toBe(130)
  })

  it('is killed with its client', async () => {
    const { pod, client, exec } = await started()
    await exec(['sh'])
    client.kill()
    await pod.clock.advance(0)
    expect(client.exit).toBe(137)
  })
})

describe('attach', () => {
  it('shows the output and gives the input of the container', async () => {
    const { pod, client, attach } = await started({
      command: ['sh', '-c', 'while read -r line; do echo "got $line"; done; exit 5'],
      stdin: true,
    })
    await attach()
    client.type('a\nb\n')
    expect(client.output).toBe('got a\ngot b\n')
    client.kill()
    await attach()
    client.type('c\n')
    expect(client.output).toBe('got c\n')
    client.end()
    await pod.clock.advance(0)
    const status = await pod.runtime.containerStatus(pod.id)
    expect(status).toMatchObject({ value: { state: 'exited', exitCode: 5 } })
    const lines = await pod.runtime.lastLogLines(pod.id, 10)
    expect(lines?.map(({ text }) => text)).toEqual(['got a', 'got b', 'got c'])
  })

  it('ends the input with its first client if the container asks for that', async () => {
    const { pod, client, attach } = await started({
      command: ['cat'],
      stdin: true,
      stdinOnce: true,
    })
    await attach()
    client.type('a\n')
    client.kill()
    await pod.clock.advance(0)
    const status = await pod.runtime.containerStatus(pod.id)
    expect(status).toMatchObject({ value: { state: 'exited', exitCode: 0 } })
  })

  it('drops the input of a container that reads none', async () => {
    const { pod, client, attach } = await started({ command: ['cat'] })
    const status = await pod.runtime.containerStatus(pod.id)
    expect(status).toMatchObject({ value: { state: 'exited', exitCode: 0 } })
    const running = await started()
    await running.attach()
    running.client.type('a\n')
    expect(running.client.output).toBe('')
    expect([typeof attach, client.output]).toEqual(['function', ''])
  })
})
