"""Word lists of the refiller: what dates are written with, and what names are made of."""

# Parts of names that stay.
PARTICLES = frozenset(
    (
        "ab aka al and ap bin da das de del della den der di do dos dr du e el ibn ii iii iv jr "
        "la le md mr mrs ms nee np née of pa rn san sr st the van ver von y"
    ).split()
)

# Words of names of places and bodies that say what it is, not which one.
GENERIC = frozenset(
    (
        "a academy ambulance and annex apartment apartments apothecary apt arms assisted "
        "associates association at ave avenue bank bay beach behavioral bend block blvd boulevard "
        "box branch bridge bros building cancer cardiac cardiology care center central centre "
        "chapel chemist children's childrens church circle cl clinic close club co college "
        "community company corner corp council county court crescent ct dental department dept "
        "dialysis diner district dr drive drug e east elementary emergency estate eye family farm "
        "farms fire first flat floor for fort foundation garage garden gardens general green "
        "grove hall health healthcare heart high hill hills home homes hospice hospital house hwy "
        "imaging in inc institute insurance junior lab laboratories laboratory labs lake lane ln "
        "lodge lower ltd manor market med medical medicine memorial mental middle mill mosque "
        "mount mountain mt museum mutual n national ne north northern northwest nursing nw o of "
        "office old on oncology orthopaedic orthopaedics orthopedic orthopedics pain parish park "
        "parkway pathology pavilion pediatric pediatrics pharmacies pharmacy physical pk pl place "
        "plan plaza po point police pond post practice primary public radiology rd reach regional "
        "rehab rehabilitation research residence residences ridge river road route row rt rte s "
        "school se secondary senior service services shop sinai sisters sleep society south "
        "southern sports spring springs sq square st station ste steps store street strip suite "
        "super supply surgery surgical sw team terrace the therapy to tower town trail trust unit "
        "university upper urgent va valley vamc veterans village w ward water way west western "
        "wing women's womens woods work works yard youth"
    ).split()
)

MONTHS = (
    "January February March April May June July August September October November December".split()
)
MONTHS_SHORT = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
DAYS_SHORT = "Mon Tue Wed Thu Fri Sat Sun".split()
DAYS_ODD = "Mon Tues Weds Thurs Fri Sat Sun".split()
SEASONS = "spring summer autumn winter fall".split()
DATE_WORDS = (MONTHS, MONTHS_SHORT, DAYS, DAYS_SHORT, DAYS_ODD, SEASONS)
NUMBERS = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty "
    "ninety"
).split()
TENS = ("twenty thirty forty fifty sixty seventy eighty ninety").split()
HOLIDAYS = (
    "Christmas, Thanksgiving, Easter, New Year's, New Year's Eve, Christmas Eve, Labor Day, "
    "Memorial Day, Fourth of July, July 4th, Halloween, Ramadan, Eid, Diwali, Hanukkah, "
    "Passover, Boxing Day, Mother's Day, Father's Day, Good Friday, Valentine's Day, St "
    "Patrick's Day, Lent, Bank Holiday Monday, Super Bowl Sunday, Mardi Gras, Canada Day, "
    "Anzac Day, Lunar New Year, Yom Kippur, Presidents' Day, Veterans Day, MLK Day, Columbus "
    "Day, Palm Sunday, Ash Wednesday, Advent, Juneteenth"
).split(", ")
HOLIDAY_KEYS = frozenset(h.lower() for h in HOLIDAYS)

# Syllables of coined names; an empty coda is the most frequent one.
ONSETS = (
    "b bh bl br c ch cl d dr f fl g gr h j k kh kl kr l m n p ph pr qu r s sh sl st t th tr v w y z"
).split()
VOWELS = "a a e i o u aa ai ay e ee ei ia ie o oo ou ó á é ö ü".split()
CODAS = [*"n l r s t k m nd ng nt ck rd rt ll sh th v x z".split(), *[""] * 24]
TOWNS = [
    "",
    "",
    "ton",
    "ville",
    "ford",
    " Falls",
    " Creek",
    " Springs",
    "ham",
    "bury",
    "by",
    "stad",
]
