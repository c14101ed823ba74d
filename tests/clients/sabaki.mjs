// Plays a few moves of each game with the npm package @sabaki/gtp. The package numbers its commands and
// sends them without waiting for answers. It writes vertices in capital letters. Usage: node sabaki.mjs
// PENTARCH GAME...
import assert from 'node:assert/strict'
import sabaki from '@sabaki/gtp'

for (const game of process.argv.slice(3)) {
  const player = new sabaki.Controller(process.argv[2], ['--gtp', '--game', game])
  const ruler = new sabaki.Controller(process.argv[2], ['--gtp', '--game', game])
  player.start()
  ruler.start()
  const ask = async (engine, text) => engine.sendCommand(sabaki.Command.fromString(text))
  const request = async (engine, text) => {
    const response = await ask(engine, text)
    assert(!response.error, `${game}: ${text}: ${response.content}`)
    return response.content
  }

  // All commands are sent at once. Each answer must belong to its command.
  const [name, version, listed, size] = await Promise.all(
    ['name', 'protocol_version', 'list_commands', 'gogui-rules_board_size'].map((text) => request(player, text)),
  )
  assert.match(name, /^pentarch /)
  assert.equal(version, '2')
  assert(listed.split('\n').includes('genmove'))
  await Promise.all([`boardsize ${size.split(' ')[0]}`, 'clear_board', 'time_settings 0 0.05 1'].map((text) => request(player, text)))
  assert((await ask(player, 'nonsense')).error)
  assert((await ask(player, 'play W A1')).error)

  const clicks = []
  for (let count = 0; count < 12; count++) {
    const side = (await request(ruler, 'gogui-rules_side_to_move'))[0].toUpperCase()
    const vertex = await request(player, `genmove ${side}`)
    clicks.push(`play ${side} ${vertex.toUpperCase()}`)
    await request(ruler, clicks.at(-1))
  }
  await Promise.all(['clear_board', ...clicks].map((text) => request(ruler, text)))
  for (const question of ['gogui-rules_board', 'gogui-rules_legal_moves', 'position_text']) {
    assert.equal(await request(player, question), await request(ruler, question))
  }
  console.log(`@sabaki/gtp ${game}: ${clicks.map((click) => click.split(' ')[2]).join(' ')}`)
  await player.stop()
  await ruler.stop()
}
