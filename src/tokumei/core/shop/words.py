"""What a look-alike shop sells, in words: 19 kinds of things, and what may stand before a thing.

    KINDS["ペット用品"].things       # ("DOG BOWL", "DOG LEAD", …)

Every description is an optional size, a colour, a pattern and a thing. Patterns are chosen
so that none but CHRISTMAS speaks of a kind: a categorizer that looks for keywords sees the thing.
The things of 不明 are meant to be unreadable, those of その他 to fit nowhere.
"""

from __future__ import annotations

from typing import NamedTuple


class ItemKind(NamedTuple):
    """One kind of goods: its share among the items, its typical price, its things."""

    share: int
    price: float
    things: tuple[str, ...]


def _listed(words: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in words.split(","))


KINDS: dict[str, ItemKind] = {
    "雑貨": ItemKind(
        1233,
        1.65,
        _listed(
            "SHOPPER BAG, TOTE BAG, LUNCH BAG, GIFT BAG, TISSUE BOX, TRINKET BOX, STORAGE BOX,"
            "CANDLE, TEALIGHT HOLDER, CANDLESTICK, INCENSE STICKS,"
            "KEY RING, LUGGAGE TAG, PASSPORT COVER,"
            "PARASOL, UMBRELLA, FRIDGE MAGNET, DOOR STOP,"
            "WICKER BASKET, STORAGE TIN, MATCHBOX, FIRELIGHTERS"
        ),
    ),
    "キッチン用品": ItemKind(
        534,
        2.1,
        _listed(
            "CAKE TIN, CAKE STAND, CAKE CASES, BAKING MOULD, COOKIE CUTTER, MIXING BOWL, MUG,"
            "TEACUP AND SAUCER, TEA TOWEL, TEAPOT, TEA COSY, OVEN GLOVE, EGG CUP, DINNER PLATE,"
            "SOUP BOWL, MILK JUG, SUGAR POT, SPOON REST, CUTLERY SET, CHOPPING BOARD, BREAD BIN,"
            "RECIPE TIN, KITCHEN SCALES, PAPER NAPKINS, COASTER, PLACEMAT, JAM FUNNEL,"
            "APRON, SWEETIE JAR, PICNIC BASKET"
        ),
    ),
    "装飾品": ItemKind(
        471,
        1.95,
        _listed(
            "HANGING DECORATION, BUNTING, GARLAND, WREATH, TREE BAUBLE, PAPER CHAIN, WALL SIGN,"
            "METAL SIGN, WALL ART, PICTURE FRAME, PHOTO FRAME, ORNAMENT, FIGURINE, VASE,"
            "ARTIFICIAL FLOWER, WIND CHIME, FAIRY LIGHTS, LANTERN, SNOW GLOBE"
        ),
    ),
    "衣類": ItemKind(
        271,
        2.95,
        _listed(
            "SCARF, SHAWL, GLOVES, SOCKS, SLIPPERS, COIN PURSE, HAT, NECKLACE, BRACELET, EARRINGS,"
            "BROOCH, HAIR CLIP, HANDBAG, RAIN PONCHO, PYJAMAS, BELT, FLIP FLOPS"
        ),
    ),
    "家具": ItemKind(
        201,
        7.95,
        _listed(
            "STOOL, SIDE TABLE, CHAIR, BOOKCASE, CABINET, CHEST OF DRAWERS, DRAWER KNOB, MIRROR,"
            "COAT RACK, WALL SHELF, CUSHION, CUSHION COVER, FLOOR LAMP, RUG, FOOTSTOOL, DOORMAT"
        ),
    ),
    "文具": ItemKind(
        161,
        0.85,
        _listed(
            "PENCIL CASE, COLOURING PENCILS, BALLPOINT PEN, ERASER, RULER, NOTEBOOK, DIARY,"
            "STICKY NOTES, WRAPPING PAPER, GREETING CARD, ENVELOPES, RUBBER STAMP, DESK CALENDAR"
        ),
    ),
    "子供用": ItemKind(
        150,
        2.1,
        _listed(
            "CHILDRENS PUZZLE, TOY TRAIN, SOFT TOY, DOLL, DOLLS HOUSE, SKIPPING ROPE TOY, BABY BIB,"
            "BABY BLANKET, KIDS PLAYHOUSE, SPINNING TOP, TOY BLOCKS, NURSERY MOBILE, DOMINOES GAME"
        ),
    ),
    "ガーデニング用品": ItemKind(
        50,
        2.55,
        _listed(
            "WATERING CAN, PLANT POT, HERB PLANTER, GARDEN TROWEL, GARDEN GLOVES, SEED PACKETS,"
            "BIRD FEEDER, GARDEN TWINE"
        ),
    ),
    "生活用品": ItemKind(
        45,
        1.65,
        _listed(
            "BROOM, DUSTPAN AND BRUSH, WASTE BIN, CLEANING CLOTH, BATTERY,"
            "ALARM CLOCK, POCKET TORCH, HAND WARMER, HOT WATER BOTTLE"
        ),
    ),
    "手芸品": ItemKind(
        36, 1.25, _listed("SEWING KIT, KNITTING YARN, RIBBON REEL, BUTTON BOX, EMBROIDERY KIT")
    ),
    "不明": ItemKind(34, 1.25, _listed("MIXED LOT, SAMPLE, WISHES, ASSORTED NUMBER 9, MYSTERY")),
    "バス用品": ItemKind(
        22, 2.95, _listed("BATH MAT, SHOWER CAP, SOAP DISH, BATH SPONGE, BATH SALTS")
    ),
    "ペット用品": ItemKind(11, 2.1, _listed("DOG BOWL, DOG LEAD, CAT TOY, PET BED")),
    "ランドリー用品": ItemKind(
        9, 3.75, _listed("LAUNDRY BASKET, CLOTHES PEGS, IRONING BOARD COVER")
    ),
    "応急用品": ItemKind(8, 1.65, _listed("FIRST AID KIT, STICKING PLASTERS, BANDAGE ROLL")),
    "その他": ItemKind(6, 9.95, _listed("GIFT VOUCHER, CATALOGUE SUBSCRIPTION, WORKSHOP TICKET")),
    "化粧品": ItemKind(5, 2.1, _listed("LIP BALM, NAIL VARNISH, MAKEUP BRUSH, HAND CREAM")),
    "スポーツ用品": ItemKind(
        4, 3.75, _listed("TENNIS RACKET, FOOTBALL, YOGA STRAP, BADMINTON SET")
    ),
    "楽器": ItemKind(2, 4.95, _listed("TAMBOURINE, UKULELE, RECORDER FLUTE")),
}
"""The kinds in the order of their shares (items out of 3,253)."""

COLOURS: tuple[str, ...] = _listed(
    "RED, BLUE, GREEN, PINK, WHITE, BLACK, IVORY, CREAM, YELLOW, ORANGE, PURPLE, TURQUOISE,"
    "SILVER, GOLD, COPPER, CORAL, MINT, NAVY, LILAC, AMBER, CHARCOAL, RUSSET, OCHRE, TEAL"
)
CHRISTMAS = "CHRISTMAS"
PATTERNS: tuple[str, ...] = (
    CHRISTMAS,
    *_listed(
        "POLKA, RETRO DOT, STRIPED, TARTAN, PAISLEY, GINGHAM, ZIGZAG, CHECKED, FLORAL, DAISY,"
        "POPPY, TULIP, WILD ROSE, LAVENDER SPRIG, FERN, OAK LEAF, ACORN, STRAWBERRY, CHERRY, LEMON,"
        "APPLE, OWL, FOX, HEDGEHOG, ROBIN, SWALLOW, BUTTERFLY, BUMBLEBEE, LADYBIRD, ELEPHANT,"
        "BADGER, STAR, MOON, SUNBURST, RAINBOW, CLOUD, HEART, LOVE, ANCHOR, LIGHTHOUSE, SAILBOAT,"
        "SEASHELL, LONDON, PARIS, ALPINE, SAFARI, CIRCUS, CARNIVAL, FAIRGROUND, GEOMETRIC, MOSAIC,"
        "MARBLED, ENAMEL, WOODEN, BRUSHED, FROSTED, RUSTIC, ANTIQUE, VICTORIAN, ART DECO, SCANDI"
    ),
)
SIZES: tuple[str, ...] = ("", "", "", "", "SMALL", "LARGE", "MINI", "SET OF 3", "PACK OF 12")
