import { describe, expect, it } from 'vitest'
import { fakeShell } from './fake-container.ts'

describe('timers', () => {
  it.for([
    'while true; do echo x; sleep 1; done',
    'while :; do sleep 0.5; date; sleep 2; done',
    'until false; do uname -a; sleep 3; done',
    'while true; do echo x > /dev/null; date >&2; sleep 1; done',
    'i=0; while true; do i=$((i + 1)); echo "round $i"; sleep 1; done',
    'a=1; while true; do b=$a; a=$((b + 1)); echo $a; sleep 1; done',
    'while true; do :; done',
    'while true; do echo busy; done',
    'trap "exit 0" TERM; while true; do sleep 1; done & wait',
    'f() { while true; do sleep 1; done; }; f',
    'sleep infinity',
    'tail -f /dev/null',
    'while true; do sleep 1; done & sleep infinity',
  ])('%s needs none', async (script) => {
    const container = fakeShell(script)
    expect(container.unreadable).toEqual([])
    expect(container.clock.pendingTimers).toBe(0)
    await container.seconds(1_000_000)
    expect(container.exit).toBeUndefined()
  })

  it.for([
    'sleep 5',
    'sleep 5 & sleep 6 & sleep 7 & wait',
    'i=0; while true; do i=$((i + 1)); sleep 1; [ $i = 1000000 ] && exit 3; done',
    'i=0; while true; do sleep $i; i=$((i + 1)); done',
    'while true; do echo a && sleep 1; done',
    'while true; do sleep 1 & wait; done',
    'i=0; while true; do i=$((i+1)); sleep 1; done & j=$i; [ "$j" = 0 ] && sleep 5',
  ])('%s needs one', async (script) => {
    const container = fakeShell(script)
    await container.seconds(0.5)
    expect(container.clock.pendingTimers).toBe(1)
  })

  it('are gone when the process has ended, however it has', async () => {
    const ended = fakeShell('sleep 1')
    await ended.seconds(2)
    const killed = fakeShell('sleep 100')
    killed.process.kill()
    const told = fakeShell('trap "exit 3" TERM; sleep 100 & wait')
    told.process.terminate()
    for (const container of [ended, killed, told]) expect(container.clock.pendingTimers).toBe(0)
  })

  it('wait longer than a real timer can hold', async () => {
    const container = fakeShell('sleep 100d; exit 3')
    const { nextDue = Number.POSITIVE_INFINITY } = container.clock
    expect(nextDue).toBeLessThan(2 ** 31)
    await container.seconds(100 * 86_400 - 1)
    expect(container.exit).toBeUndefined()
    await container.seconds(2)
    expect(container.exit).toEqual({ exitCode: 3, at: 8_640_000_000, bySignal: undefined })
  })
})

describe('a loop that needs no timer', () => {
  it.for([
    [0, 1],
    [0.4, 1],
    [0.999, 1],
    [1, 3],
    [2.5, 3],
    [3, 4],
    [3600.5, 3601],
    [3_000_001.5, 3_000_003],
  ] as const)('told at %d s is stopped at %d s, when its sleep is over', async ([told, at]) => {
    const container = fakeShell(
      'trap "exit 3" TERM; while true; do echo; sleep 1; date; sleep 2; done',
    )
    await container.seconds(told)
    container.process.terminate()
    await container.seconds(3)
    expect(container.exit).toEqual({ exitCode: 3, at: at * 1000, bySignal: 'SIGTERM' })
  })

  it('goes on in the middle of its round after a trap that does not exit', async () => {
    const script = `
      told=0
      trap 'told=$((told + 1)); [ $told = 3 ] && exit 3' TERM
      while true; do sleep 1; sleep 10; done`
    const container = fakeShell(script)
    await container.seconds(0.5)
    container.process.terminate()
    await container.seconds(8.5)
    container.process.terminate()
    await container.seconds(2.5)
    expect(container.exit).toBeUndefined()
    container.process.terminate()
    await container.seconds(5)
    expect(container.exit).toMatchObject({ exitCode: 3, at: 12_000 })
  })

  it('is the same as one that needs timers, whenever SIGTERM comes', async () => {
    const body = 'sleep 0.3; echo x; sleep 0.7'
    for (let step = 0; step < 80; step++) {
      const exits = []
      for (const script of [body, `${body}; [ a = "$b" ]`]) {
        const container = fakeShell(`trap "exit 3" TERM; while true; do ${script}; done`)
        await container.seconds(step / 20)
        container.process.terminate()
        await container.seconds(2)
        exits.push(container.exit)
      }
      expect(exits[0]).toEqual(exits[1])
    }
  })

  it('is not one when what changes in it decides something', async () => {
    const scripts = [
      'i=0; while true; do i=$((i+1)); sleep 1; [ $i = 3 ] && exit 4; done',
      'i=0; while true; do j=$i; sleep $j; i=$((i+1)); [ "$j" = 2 ] && exit 4; done',
      'i=0; true() { [ $i -lt 3 ]; }; while true; do i=$((i+1)); sleep 1; done; exit 4',
      'i=0; echo() { [ $i = 3 ] && exit 4; }; while true; do sleep 1; i=$((i+1)); echo; done',
      'i=0; trap "[ \\$i = 3 ] && exit 4" USR1; while true; do sleep 1; i=$((i+1)); kill -USR1 $$; done',
    ]
    for (const script of scripts) {
      const container = fakeShell(script)
      await container.seconds(10)
      expect([script, container.exit]).toEqual([
        script,
        expect.objectContaining({ exitCode: 4, at: 3000 }),
      ])
    }
  })
})

describe('a loop that takes no time', () => {
  it.for([
    'while true; do [ "$x" = y ] && break; done',
    'i=0; while [ $i -ge 0 ]; do i=$((i+1)); [ $i = 9 ] && i=0; done',
    'while true; do f() { :; }; f; done',
    'while true; do (x=1); done',
    'while true; do if [ 1 = 2 ]; then exit 4; fi; done',
    'while true; do true & done'.replace('true &', 'true & wait;'),
    'while true; do for i in $(seq 1 100); do x=$i; [ $x = 0 ] && exit 4; done; done',
  ])('%s stops neither the clock nor a signal', async (loop) => {
    const container = fakeShell(`trap "exit 3" TERM; ${loop}`)
    await container.seconds(1000)
    expect(container.unreadable).toEqual([])
    expect(container.exit).toBeUndefined()
    container.process.terminate()
    await container.seconds(0.01)
    expect(container.exit).toMatchObject({ exitCode: 3, at: 1_000_000 })
  })

  it('ends soon when it has an end', async () => {
    const container = fakeShell('i=0; while [ $i -lt 5000 ]; do i=$((i+1)); done; exit 5')
    await container.seconds(1)
    expect(container.exit).toMatchObject({ exitCode: 5 })
    expect(container.exit?.at).toBeLessThan(100)
  })

  it('may wait for a time of day', async () => {
    const container = fakeShell(
      'end=$(( $(date +%s) + 60 )); while [ $(date +%s) -lt $end ]; do :; done; exit 5',
    )
    await container.seconds(70)
    expect(container.exit?.exitCode).toBe(5)
    expect(container.exit?.at).toBeGreaterThanOrEqual(60_000)
    expect(container.exit?.at).toBeLessThanOrEqual(65_000)
  })
})

describe('signals', () => {
  it('do nothing to a process that has ended', async () => {
    const container = fakeShell('sleep 1; exit 3')
    await container.seconds(2)
    container.process.terminate()
    container.process.kill()
    expect(container.exit).toEqual({ exitCode: 3, at: 1000, bySignal: undefined })
  })

  it('that come when the process is just ending come too late', async () => {
    const container = fakeShell('trap "exit 5" TERM; sleep 1; exit 3')
    container.clock.after(1000, () => {
      container.process.terminate()
    })
    await container.seconds(2)
    expect(container.exit).toEqual({ exitCode: 3, at: 1000, bySignal: undefined })
  })

  it('SIGKILL ends everything at once, also what is not read', async () => {
    for (const script of ['trap "" TERM; sleep 9', 'vi', 'while true; do :; done']) {
      const container = fakeShell(script)
      await container.seconds(1)
      container.process.kill()
      expect(container.exit).toEqual({ exitCode: 137, at: 1000, bySignal: 'SIGKILL' })
    }
  })

  it('that are ignored leave no mark on the end', async () => {
    const container = fakeShell('sleep 2; exit 3')
    container.process.terminate()
    await container.seconds(3)
    expect(container.exit).toEqual({ exitCode: 3, at: 2000, bySignal: undefined })
  })

  it('run their traps one inside the other, as shells do', async () => {
    const trap = 'n=$((n+1)); [ $n -lt 2 ] || exit 6; sleep 1; exit 7'
    const container = fakeShell(`n=0; trap '${trap}' TERM; while true; do sleep 1; done`)
    await container.seconds(0.5)
    container.process.terminate()
    await container.seconds(0.8)
    container.process.terminate()
    await container.seconds(5)
    expect(container.exit).toMatchObject({ exitCode: 6, at: 2000 })
  })
})
