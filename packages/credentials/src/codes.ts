/**
 * Codes that people read, say and type. `random` gives that many random bytes; every character is equally likely.
 */

export type RandomBytes = (count: number) => Uint8Array;

/** A whole number from 0 to below `bound` (at most 256). Bytes of the uneven rest are thrown away, which keeps the draw even. */
const drawBelow = (random: RandomBytes, bound: number): number => {
  const usable = 256 - (256 % bound);
  for (;;) {
    const byte = random(1)[0];
    if (byte !== undefined && byte < usable) return byte % bound;
  }
};

const drawText = (random: RandomBytes, alphabet: string, length: number): string =>
  Array.from({ length }, () => alphabet.charAt(drawBelow(random, alphabet.length))).join('');

const withoutLookAlikes = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';

/** 12 characters A–Z and 2–9 without I, L and O: 59 bits. */
export const makeLoginCode = (random: RandomBytes): string => drawText(random, withoutLookAlikes, 12);

/** `LICENSE-XXXX-XXXX-XXXX-XXXX` in the same characters: 79 bits. */
export const makeLicenceKey = (random: RandomBytes): string =>
  ['LICENSE', ...Array.from({ length: 4 }, () => drawText(random, withoutLookAlikes, 4))].join('-');

/** `XXXXX-XXXXX` in the same characters: 49 bits, of which there are ten at a time. */
export const makeRecoveryCode = (random: RandomBytes): string =>
  Array.from({ length: 2 }, () => drawText(random, withoutLookAlikes, 5)).join('-');

/** 6 digits. */
export const makeActivationCode = (random: RandomBytes): string => drawText(random, '0123456789', 6);

const words = (
  'aist akula albom almaz altay angara ananas anker argon arbuz arena aromat astra atlas avgust azot ' +
  'bagazh balkon banan banka bantik baraban barhan bereg bilet biryuza bober bokal braslet briz bulka buket ' +
  'vagon vafli vanil vasilek vedro venok veranda veter viktor vinil vishnya volna voron vulkan vyuga vzlet ' +
  'garden gavan gazon gelik gitara glina globus gnom gorod gorizont grafit granat granit grib grusha gusar ' +
  'dacha delfin derevo desert dinamo divan dolina dozhd drakon drozd duet dynya diktor dorozhka dubrava domik ' +
  'ekran eksport elka emal enot epoha eskiz etazh etalon evkalipt efir ekvator element embrion energiya esse ' +
  'zabor zakat zamok zarya zavod zebra zefir zenit zerkalo zerno zima zontik zoloto zvezda zvonok zyablik ' +
  'idol igla iris iskra iyul izumrud izba indigo inzhir irbis ivolga impuls istok izgib iyun import ' +
  'kabina kaktus kalina kamin kanat karta kashtan kedr kivi klen klever kniga kofe kolos kometa korall ' +
  'kosmos kover kran kuvshin lagoon lampa landysh lavina lebed lenta leto liliya limon lira listok lodka ' +
  'losos lotos luna lyra magnit mayak malina marka maska mebel medal melon metro mimoza mindal molniya ' +
  'moroz most motor muzey napev narval nebo nektar neon niva nota oazis oblako ogurec okean oliva ' +
  'omega opal orbita oreh orel osen ostrov ovrag paket palma panda parus pechka persik pilot piano ' +
  'planeta plyazh pole poezd polka port priz puma raduga raketa reka rubin roman rosa rysh rucheek ' +
  'sadovod salat salyut samovar sapfir sever sirop skala slon snezhok sokol sosna sputnik tayga tango temp ' +
  'tigr topaz tropa tundra tuman turnir ulitka utro fakel fialka flagman fontan hrustal cirk shafran yantar'
).split(' ');

const digits = '23456789';

/** Three plain words and three pairs of digits, like `tundra-93-kivi-48-malina-75`: 42 bits. */
export const makeTemporaryPassword = (random: RandomBytes): string =>
  Array.from(
    { length: 3 },
    () => `${words[drawBelow(random, words.length)] ?? ''}-${drawText(random, digits, 2)}`,
  ).join('-');

/** How many passwords the words and digits allow, as bits. */
export const temporaryPasswordBits = 3 * Math.log2(new Set(words).size) + 6 * Math.log2(digits.length);
