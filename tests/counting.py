"""Counting from 1 to 90 in each language by the rule that its children learn: nothing here has seen
the wording's files.

Where a language counts in more than one way, the way of the wording is named. `COUNTED` has a rule
for each language but Hindi, which has a word of its own for every number: there, what a word begins
and ends with is told instead.
"""


def words(text):
    return text.split()


ENGLISH = words(
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
    " sixteen seventeen eighteen nineteen"
)
ENGLISH_TENS = words("twenty thirty forty fifty sixty seventy eighty ninety")
ITALIAN = words(
    "uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici"
    " quindici sedici diciassette diciotto diciannove"
)
ITALIAN_TENS = words("venti trenta quaranta cinquanta sessanta settanta ottanta novanta")
FRENCH = words(
    "un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize"
    " dix-sept dix-huit dix-neuf"
)
FRENCH_SCORES = {
    20: "vingt",
    30: "trente",
    40: "quarante",
    50: "cinquante",
    60: "soixante",
    80: "quatre-vingt",
}
SPANISH = words(
    "uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis"
    " diecisiete dieciocho diecinueve veinte"
)
SPANISH_TENS = words("treinta cuarenta cincuenta sesenta setenta ochenta noventa")
SPANISH_ACCENTS = {22: "veintidós", 23: "veintitrés", 26: "veintiséis"}
GERMAN = words("eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf")
GERMAN_TEENS = {16: "sechzehn", 17: "siebzehn"}
GERMAN_TENS = words("zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig")
DUTCH = words(
    "één twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien"
    " zeventien achttien negentien"
)
DUTCH_TENS = words("twintig dertig veertig vijftig zestig zeventig tachtig negentig")
PORTUGUESE = words(
    "um dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezasseis"
    " dezassete dezoito dezanove"
)
PORTUGUESE_TENS = words("vinte trinta quarenta cinquenta sessenta setenta oitenta noventa")
RUSSIAN = words("один два три четыре пять шесть семь восемь девять десять")
RUSSIAN_STEMS = words("один две три четыр пят шест сем восем девят")
RUSSIAN_TENS = words("двадцать тридцать сорок пятьдесят шестьдесят семьдесят восемьдесят девяносто")


def english(number):
    """Ten and one with a hyphen."""
    if number < 20:
        return ENGLISH[number - 1]
    ten, one = ENGLISH_TENS[number // 10 - 2], number % 10
    return f"{ten}-{ENGLISH[one - 1]}" if one else ten


def italian(number):
    """Tens lose their vowel before uno and otto; a tre at the end has an accent."""
    if number < 20:
        return ITALIAN[number - 1]
    ten, one = ITALIAN_TENS[number // 10 - 2], number % 10
    if one in (1, 8):
        ten = ten[:-1]
    return ten + ("" if one == 0 else "tré" if one == 3 else ITALIAN[one - 1])


def french(number):
    """As in France: seventy is sixty-ten, eighty four twenties; "et" before one and eleven, but not
    after eighty."""
    if number < 20:
        return FRENCH[number - 1]
    base = max(score for score in FRENCH_SCORES if score <= number)
    rest, score = number - base, FRENCH_SCORES[base]
    if rest == 0:
        return f"{score}s" if base == 80 else score
    return (
        f"{score} et {FRENCH[rest - 1]}"
        if rest in (1, 11) and base != 80
        else f"{score}-{FRENCH[rest - 1]}"
    )


def spanish(number):
    """One word up to thirty, then "y"."""
    if number <= 20:
        return SPANISH[number - 1]
    if number < 30:
        return SPANISH_ACCENTS.get(number, f"veinti{SPANISH[number - 21]}")
    ten, one = SPANISH_TENS[number // 10 - 3], number % 10
    return f"{ten} y {SPANISH[one - 1]}" if one else ten


def german(number):
    """The one first, then "und", then the ten, in one word."""
    if number <= 12:
        return GERMAN[number - 1]
    one = number % 10
    if number < 20:
        return GERMAN_TEENS.get(number, f"{GERMAN[one - 1]}zehn")
    ten = GERMAN_TENS[number // 10 - 2]
    return f"{'ein' if one == 1 else GERMAN[one - 1]}und{ten}" if one else ten


def dutch(number):
    """The one first, then "en", then the ten, in one word; two dots where vowels would run
    together."""
    if number < 20:
        return DUTCH[number - 1]
    ten, one = DUTCH_TENS[number // 10 - 2], number % 10
    if one == 0:
        return ten
    return ("een" if one == 1 else DUTCH[one - 1]) + ("ën" if one in (2, 3) else "en") + ten


def portuguese(number):
    """As in Portugal (dezasseis, dezassete, dezanove); "e" between ten and one."""
    if number < 20:
        return PORTUGUESE[number - 1]
    ten, one = PORTUGUESE_TENS[number // 10 - 2], number % 10
    return f"{ten} e {PORTUGUESE[one - 1]}" if one else ten


def russian(number):
    """Ten, then one, as two words, in the masculine that counting has."""
    one = number % 10
    if number <= 10:
        return RUSSIAN[number - 1]
    if number < 20:
        return f"{RUSSIAN_STEMS[one - 1]}надцать"
    ten = RUSSIAN_TENS[number // 10 - 2]
    return f"{ten} {RUSSIAN[one - 1]}" if one else ten


COUNTED = {
    "en": english,
    "it": italian,
    "fr": french,
    "es": spanish,
    "de": german,
    "nl": dutch,
    "pt": portuguese,
    "ru": russian,
}

HINDI_TO_20 = words(
    "एक दो तीन चार पाँच छह सात आठ नौ दस ग्यारह बारह तेरह चौदह पन्द्रह सोलह सत्रह अठारह उन्नीस बीस"
)
HINDI_TENS = {30: "तीस", 40: "चालीस", 50: "पचास", 60: "साठ", 70: "सत्तर", 80: "अस्सी", 90: "नब्बे"}
# One less than the next ten, but for the last.
HINDI_NINES = {
    29: "उनतीस",
    39: "उनतालीस",
    49: "उनचास",
    59: "उनसठ",
    69: "उनहत्तर",
    79: "उनासी",
    89: "नवासी",
}
# The other words from 21 on begin with their one and end with their ten.
HINDI_ONES = {
    1: ("इक",),
    2: ("ब",),
    3: ("त",),
    4: ("चौ",),
    5: ("प",),
    6: ("छ",),
    7: ("स",),
    8: ("अ",),
}
HINDI_ENDS = {
    2: ("ीस", "ईस"),
    3: ("तीस",),
    4: ("ालीस",),
    5: ("वन", "पन"),
    6: ("सठ",),
    7: ("हत्तर",),
    8: ("ासी",),
}


def with_tens(rule, tens):
    """French with words of its own for some tens: septante et un, septante-deux, …"""

    def counted(number):
        ten, one = number // 10 * 10, number % 10
        if ten not in tens:
            return rule(number)
        between = " et " if one == 1 else "-"
        return tens[ten] + (between + FRENCH[one - 1] if one else "")

    return counted


def brazilian(number):
    """As in Portugal, but for three."""
    return {16: "dezesseis", 17: "dezessete", 19: "dezenove"}.get(number) or COUNTED["pt"](number)


REGIONAL = {
    "fr-CH": with_tens(COUNTED["fr"], {70: "septante", 80: "huitante", 90: "nonante"}),
    "fr-BE": with_tens(COUNTED["fr"], {70: "septante", 90: "nonante"}),
    "pt-BR": brazilian,
}
