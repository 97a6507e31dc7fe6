import { describe, expect, it } from 'vitest'
import { FakePod } from '../network/fake-pod.ts'

function started(image: string, annotations: Readonly<Record<string, string>> = {}) {
  return new FakePod(image).start({ image }, annotations)
}

const delayed = { 'simulated.nodescope.dev/start-delay': '1h' }

describe('a client that asks its own server', () => {
  it.each([
    ['redis:7', 'redis-cli ping', 'PONG\n'],
    [
      'redis:7',
      '/usr/local/bin/redis-cli -h localhost -p 6379 --no-auth-warning -a x PING',
      'PONG\n',
    ],
    ['valkey:8', 'valkey-cli ping hello', 'hello\n'],
    ['postgres:16', 'pg_isready -U postgres', '/var/run/postgresql:5432 - accepting connections\n'],
    [
      'postgres:16',
      'pg_isready --host=127.0.0.1 --port 5432 -d shop',
      '127.0.0.1:5432 - accepting connections\n',
    ],
    ['mysql:8.4', 'mysqladmin ping -h localhost -u root -psecret', 'mysqld is alive\n'],
    ['mariadb:11', 'mariadb-admin --user=root --password=secret ping', 'mysqld is alive\n'],
    ['mysql:8.4', 'mysql -h 127.0.0.1 -e "SELECT 1"', '1\n1\n'],
    ['mongo:7', `mongosh --quiet --eval "db.adminCommand('ping')"`, '{ ok: 1 }\n'],
    ['mongo:7', 'mongosh --eval "db.runCommand({ ping: 1 }).ok" --quiet', '1\n'],
  ])('of %s finds it: %s', async (image, command, stdout) => {
    const pod = await started(image)
    expect(await pod.run(command)).toMatchObject({ exitCode: 0, stdout, stderr: '' })
  })

  it.each([
    [
      'redis:7',
      'redis-cli ping',
      1,
      'Could not connect to Redis at 127.0.0.1:6379: Connection refused\n',
    ],
    [
      'mysql:8.4',
      'mysqladmin ping',
      1,
      "mysqladmin: connect to server at 'localhost' failed\nerror: 'Can't connect to local MySQL server through socket '/var/run/mysqld/mysqld.sock' (2)'\nCheck that mysqld is running and that the socket: '/var/run/mysqld/mysqld.sock' exists!\n",
    ],
    [
      'mysql:8.4',
      "mysql -h 127.0.0.1 -e 'select 1;'",
      1,
      "ERROR 2003 (HY000): Can't connect to MySQL server on '127.0.0.1:3306' (111)\n",
    ],
    [
      'mongo:7',
      `mongosh --eval 'db.adminCommand("ping")'`,
      1,
      'MongoNetworkError: connect ECONNREFUSED 127.0.0.1:27017\n',
    ],
    [
      'etcd',
      'grpc_health_probe -addr=:2379 -connect-timeout 2s',
      2,
      'timeout: failed to connect service ":2379" within 2s\n',
    ],
  ])('of %s does not find it before it listens: %s', async (image, command, exitCode, stderr) => {
    const pod = await started(image, delayed)
    expect(await pod.run(command)).toMatchObject({ exitCode, stdout: '', stderr })
  })

  it('says on its output that PostgreSQL does not answer', async () => {
    const pod = await started('postgres:16', delayed)
    expect(await pod.run('pg_isready')).toMatchObject({
      exitCode: 2,
      stdout: '/var/run/postgresql:5432 - no response\n',
    })
    expect(await pod.run('pg_isready -q -h absent')).toMatchObject({ exitCode: 2, stdout: '' })
  })

  it('asks for the health of a gRPC server', async () => {
    const etcd = await started('registry.k8s.io/etcd:3.6.4')
    expect(await etcd.run('grpc_health_probe -addr=localhost:2379')).toMatchObject({
      exitCode: 0,
      stderr: 'status: SERVING\n',
    })
    const redis = await started('redis:7')
    expect(await redis.run('grpc_health_probe --addr :6379')).toMatchObject({ exitCode: 3 })
  })

  it.each(['redis-cli get x', 'mysql -e "show tables"', 'mongosh', 'nginx', 'pg_isready x'])(
    'is not read if it asks for more: %s',
    async (command) => {
      const pod = await started('redis:7')
      await expect(pod.run(command)).rejects.toThrow(/does not run this command/)
    },
  )
})

describe('nginx -s', () => {
  it.each(['quit', 'stop'])(
    '%s ends the container with 0, as a preStop hook does',
    async (signal) => {
      const pod = await started('nginx:1.27')
      const { exitCode, stderr } = await pod.run(`nginx -s ${signal}`)
      expect([exitCode, stderr]).toEqual([
        0,
        expect.stringMatching(
          /^2026\/01\/01 00:00:\d\d \[notice\] (\d+)#\1: signal process started\n$/,
        ),
      ])
      await pod.clock.advance(100)
      const status = await pod.runtime.containerStatus(pod.id)
      expect(status.ok && status.value).toMatchObject({ state: 'exited', exitCode: 0 })
    },
  )

  it('ends what waits for it in the container', async () => {
    const pod = await started('nginx:1.27')
    expect(await pod.run('nginx -s quit; while true; do sleep 1; done')).toMatchObject({
      exitCode: 137,
    })
  })

  it('reload leaves the server as it is', async () => {
    const pod = await started('nginx:1.27')
    expect(await pod.run('nginx -t && /usr/sbin/nginx -s reload')).toMatchObject({ exitCode: 0 })
    expect(await pod.get(80)).toMatch(/^200 /)
  })

  it('ends before the loop that the documentation waits with: the image has no killall', async () => {
    const loop = 'nginx -s quit; while killall -0 nginx; do sleep 1; done'
    const pod = await started('nginx:1.27')
    expect(await pod.run(loop)).toMatchObject({
      exitCode: 0,
      stderr: expect.stringMatching(/sh: killall: not found\n$/),
    })
    const alpine = await started('nginx:1.27-alpine')
    expect(await alpine.run(loop)).toMatchObject({ exitCode: 137 })
  })

  it('and killall are the same to the server', async () => {
    const pod = await started('nginx:1.27-alpine')
    expect(await pod.run('killall -0 nginx && killall -q -TERM nginx')).toMatchObject({
      exitCode: 0,
    })
    await pod.clock.advance(100)
    const status = await pod.runtime.containerStatus(pod.id)
    expect(status.ok && status.value.state).toBe('exited')
  })

  it('finds no server where the command of the container is another', async () => {
    const image = 'nginx:1.27'
    const pod = await new FakePod(image).start({ image, command: ['sleep', '1d'] })
    expect(await pod.run('nginx -s quit')).toMatchObject({
      exitCode: 1,
      stderr: 'nginx: [error] open() "/run/nginx.pid" failed (2: No such file or directory)\n',
    })
  })
})
