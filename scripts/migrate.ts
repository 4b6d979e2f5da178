// Brings the database up to date without starting a server; the server itself does the same when it starts.
import { config as loadDotenv } from 'dotenv';
import { parseConfig } from '../src/config.ts';
import { openDatabase } from '../src/open-database.ts';

loadDotenv({ quiet: true });
const say = (line: string) => process.stdout.write(`${line}\n`);
const database = await openDatabase(parseConfig(process.env), say, (error) => say(String(error)));
say(`${database.label} is up to date.`);
await database.close();
