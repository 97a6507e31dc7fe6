import { beforeEach, describe, expect, it } from 'vitest'
import { FakePod } from '../network/fake-pod.ts'
import { SimulatedNetwork } from '../network/simulated-network.ts'

let server: FakePod
let client: FakePod

beforeEach(async () => {
  const network: SimulatedNetwork = new SimulatedNetwork({
    services: {
      lookUp: (name, namespace) =>
        name === 'shop' && namespace === 'n'
          ? ['10.96.0.20']
          : name === 'empty'
            ? ['10.96.0.21']
            : [],
      endpointsOf: (address, port) => {
        if (address === '10.96.0.21') return []
        return address === '10.96.0.20' && port === 8000
          ? [{ address: server.ip, port: 80 }]
          : undefined
      },
    },
  })
  server = await new FakePod('nginx', { network, podCidr: '10.1.0.0/24' }).start({ image: 'nginx' })
  client = await new FakePod('netshoot', { network, podCidr: '10.2.0.0/24' }).start({
    image: 'netshoot',
    command: ['sleep', '1d'],
  })
})

const page = expect.stringContaining('Welcome to nginx!')

/** Texts in the form of busybox 1.35 and curl 7.88, written down once; no test runs those programs. */
describe('wget', () => {
  it('prints a page of another pod', async () => {
    expect(await client.run(`wget -qO- http://${server.ip}`)).toMatchObject({
      stdout: page,
      stderr: '',
      exitCode: 0,
    })
  })

  it('goes through a service, by its name', async () => {
    expect(await client.run('wget -O- shop:8000/index.html')).toMatchObject({
      stdout: page,
      stderr: expect.stringMatching(
        /^Connecting to shop:8000 \(10\.96\.0\.20:8000\)\nwriting to stdout\n- {19} 100% \|\*{32}\| {3}\d{3} {2}0:00:00 ETA\nwritten to stdout\n$/,
      ),
      exitCode: 0,
    })
  })

  it('writes a file', async () => {
    const { stdout, stderr } = await client.run(`cd /tmp; wget http://${server.ip}/; ls`)
    expect(stdout).toBe('index.html\n')
    expect(stderr).toContain("saving to 'index.html'\n")
    expect(stderr).toContain("'index.html' saved\n")
  })

  it.each<readonly [string, () => string, string]>([
    [
      '404',
      () => `wget -qO- http://${server.ip}/no`,
      'wget: server returned error: HTTP/1.1 404 Not Found\n',
    ],
    [
      'nothing that listens',
      () => 'wget -qO- http://localhost:9',
      "wget: can't connect to remote host (127.0.0.1): Connection refused\n",
    ],
    [
      'a service without pods',
      () => 'wget -qO- http://empty',
      "wget: can't connect to remote host (10.96.0.21): Connection refused\n",
    ],
    [
      'an unknown name',
      () => 'wget -qO- http://nope.invalid/',
      "wget: bad address 'nope.invalid'\n",
    ],
  ])('fails for %s', async (_what, script, stderr) => {
    expect(await client.run(script())).toMatchObject({ stdout: '', stderr, exitCode: 1 })
  })

  it('waits for an address that does not answer', async () => {
    const stderr = 'wget: download timed out\n'
    const ran = await client.run('wget -T 5 -qO- http://10.9.9.9/')
    expect(ran).toMatchObject({ stderr, exitCode: 1, seconds: 5 })
  })
})

describe('curl', () => {
  it('prints a page and its status', async () => {
    const script = `curl -s -o /dev/null -w '%{http_code}\\n' http://${server.ip}/no; curl -sf ${server.ip}/no; echo $?`
    expect(await client.run(script)).toMatchObject({ stdout: '404\n22\n' })
    expect(await client.run(`curl -s ${server.ip}`)).toMatchObject({ stdout: page, exitCode: 0 })
  })

  it('fails where nothing listens, and for an unknown name', async () => {
    expect(await client.run('curl -sS localhost:9')).toMatchObject({
      stderr:
        "curl: (7) Failed to connect to localhost port 9 after 0 ms: Couldn't connect to server\n",
      exitCode: 7,
    })
    expect(await client.run('curl -sS nope.invalid')).toMatchObject({
      stderr: 'curl: (6) Could not resolve host: nope.invalid\n',
      exitCode: 6,
    })
  })
})

describe('nc and nslookup', () => {
  it('test a port', async () => {
    expect(await client.run('nc -z shop 8000')).toMatchObject({ exitCode: 0, stderr: '' })
    expect(await client.run(`nc -zv ${server.ip} 81`)).toMatchObject({
      exitCode: 1,
      stderr: `nc: ${server.ip} (${server.ip}:81): Connection refused\n`,
    })
  })

  it('wait for a service', async () => {
    const script =
      'until nslookup shop > /dev/null; do sleep 2; done; nslookup shop; nslookup none; echo $?'
    const { stdout } = await client.run(script)
    const head = 'Server:\t\t10.96.0.10\nAddress:\t10.96.0.10:53\n\n'
    const failure = "** server can't find none: NXDOMAIN\n\n"
    expect(stdout).toBe(`${head}Name:\tshop\nAddress: 10.96.0.20\n\n${head}${failure}${failure}1\n`)
  })

  it('answers one connection', async () => {
    const script =
      "(printf 'HTTP/1.1 200 OK\\r\\n\\r\\nhi' | nc -l -p 90 > /tmp/got; echo over) & sleep 1; wget -qO- localhost:90; sleep 1; nc -z localhost 90 || echo closed; head -1 /tmp/got"
    expect(await client.run(script)).toMatchObject({ stdout: 'hiover\nclosed\nGET / HTTP/1.1\r\n' })
  })
})

describe('httpd and python', () => {
  it('serve files until they end', async () => {
    const script =
      'mkdir /www; echo page > /www/a.html; httpd -f -p 8080 -h /www & sleep 1; wget -qO- localhost:8080/a.html; wget -q localhost:8080/b; kill $!; sleep 1; nc -z localhost 8080 || echo closed'
    expect(await client.run(script)).toMatchObject({
      stdout: 'page\nclosed\n',
      stderr: 'wget: server returned error: HTTP/1.1 404 Not Found\n',
    })
    expect(
      await client.run('python3 -m http.server 8001 -d /www & sleep 1; curl -s localhost:8001/'),
    ).toMatchObject({
      stdout: expect.stringContaining('<a href="a.html">a.html</a>'),
    })
  })

  it('report a port that is in use', async () => {
    const script = 'httpd -p 8080 -h /; httpd -p 8080 -h /'
    const stderr = 'httpd: bind: Address already in use\n'
    expect(await client.run(script)).toMatchObject({ exitCode: 1, stderr })
  })
})
