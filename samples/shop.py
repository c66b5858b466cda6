"""Draw a small shop as an SQLite database, for ``make demo-data``. The same seed always gives the same rows.

Twelve tables and about 50,000 rows in English and Chinese, with real keys: customers in eight cities, products in
categories from suppliers, orders with their lines, payments, shipments and returns, and what is in stock.
"""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path

from bandsmith.shared.settings import SourceSettings
from bandsmith.shared.sources import questions_file, read_sources, source_of, write_sources

SEED = 20261122
FIRST, LAST = date(2025, 1, 1), date(2026, 10, 31)
CUSTOMERS, PRODUCTS, ORDERS = 600, 180, 9_000
SCHEMA = """
CREATE TABLE cities (id INTEGER PRIMARY KEY, name TEXT NOT NULL, country TEXT NOT NULL);
CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, city_id INTEGER NOT NULL REFERENCES cities (id),
    email TEXT NOT NULL, since DATE NOT NULL);
CREATE TABLE employees (id INTEGER PRIMARY KEY, name TEXT NOT NULL, city_id INTEGER NOT NULL REFERENCES cities (id),
    hired_on DATE NOT NULL);
CREATE TABLE suppliers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, city_id INTEGER NOT NULL REFERENCES cities (id));
CREATE TABLE categories (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE products (id INTEGER PRIMARY KEY, name TEXT NOT NULL, price NUMERIC(10, 2) NOT NULL,
    category_id INTEGER NOT NULL REFERENCES categories (id), supplier_id INTEGER NOT NULL REFERENCES suppliers (id));
CREATE TABLE stock (product_id INTEGER NOT NULL REFERENCES products (id),
    city_id INTEGER NOT NULL REFERENCES cities (id), quantity INTEGER NOT NULL, PRIMARY KEY (product_id, city_id));
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customers (id),
    employee_id INTEGER NOT NULL REFERENCES employees (id), ordered_on DATE NOT NULL, status TEXT NOT NULL);
CREATE TABLE order_lines (id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL REFERENCES orders (id),
    product_id INTEGER NOT NULL REFERENCES products (id), quantity INTEGER NOT NULL, price NUMERIC(10, 2) NOT NULL);
CREATE TABLE payments (id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL REFERENCES orders (id), paid_on DATE NOT NULL,
    amount NUMERIC(12, 2) NOT NULL, method TEXT NOT NULL);
CREATE TABLE shipments (id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL REFERENCES orders (id),
    shipped_on DATE NOT NULL, carrier TEXT NOT NULL);
CREATE TABLE returns (id INTEGER PRIMARY KEY, order_line_id INTEGER NOT NULL REFERENCES order_lines (id),
    returned_on DATE NOT NULL, reason TEXT NOT NULL);
"""
CITIES = [("Leeds", "GB"), ("York", "GB"), ("Dublin", "IE"), ("Porto", "PT"),
          ("上海", "CN"), ("北京", "CN"), ("嘉兴", "CN"), ("成都", "CN")]  # fmt: skip
CATEGORIES = ["Tools", "Garden", "Kitchen", "Lighting", "文具", "茶具", "五金", "收纳"]
THINGS = {
    "Tools": ["Hammer", "Wrench", "Drill", "Saw", "Chisel"], "Garden": ["Rake", "Spade", "Hose", "Pot", "Shears"],
    "Kitchen": ["Kettle", "Pan", "Knife", "Board", "Bowl"], "Lighting": ["Lamp", "Lantern", "Bulb", "Torch", "Spot"],
    "文具": ["钢笔", "笔记本", "尺子", "订书机", "文件夹"], "茶具": ["茶壶", "茶杯", "茶盘", "茶罐", "盖碗"],
    "五金": ["螺丝", "合页", "门锁", "钉子", "角码"], "收纳": ["箱子", "架子", "篮子", "挂钩", "抽屉"],
}  # fmt: skip
SURNAMES, GIVEN = ["Hughes", "Silva", "Byrne", "Ward", "Costa", "Lane"], ["Ada", "Rui", "Orla", "Tom", "Inês", "Max"]
CHINESE = ["王", "李", "陈", "林", "周", "沈"], ["静", "伟", "芳", "磊", "敏", "晨"]
TRADES, TRADES_ZH = ["& Sons", "Stores", "Trading", "Supplies"], ["百货", "商行", "贸易", "用品店"]
Rows = Sequence[tuple[object, ...]]


class Shop:
    """The rows of every table, drawn one table after the other."""

    def __init__(self) -> None:
        self._random = random.Random(SEED)  # noqa: S311 - the same rows every time
        self.tables: dict[str, Rows] = {}

    def draw(self) -> dict[str, Rows]:
        """Return the rows by table, in the order in which keys allow to insert them."""
        pick, cities = self._random, range(1, len(CITIES) + 1)
        tables = self.tables
        tables["cities"] = [(n, *city) for n, city in enumerate(CITIES, 1)]
        tables["customers"] = [self._customer(number) for number in range(1, CUSTOMERS + 1)]
        tables["employees"] = [
            (number, self._person(city), city, self._day().isoformat())
            for number in range(1, 31)
            for city in [pick.choice(cities)]
        ]
        tables["suppliers"] = [
            (number, self._company(city), city) for number in range(1, 25) for city in [pick.choice(cities)]
        ]
        tables["categories"] = list(enumerate(CATEGORIES, 1))
        tables["products"] = [self._product(number) for number in range(1, PRODUCTS + 1)]
        tables["stock"] = [(p, c, pick.randint(0, 400)) for p in range(1, PRODUCTS + 1) for c in cities]
        self._draw_orders()
        return tables

    def _draw_orders(self) -> None:
        pick, prices = self._random, {row[0]: row[2] for row in self.tables["products"]}
        orders: list[tuple[object, ...]] = []
        lines, payments, shipments, returns = list(orders), list(orders), list(orders), list(orders)
        for number in range(1, ORDERS + 1):
            day = self._busy_day()
            status = pick.choices(["delivered", "paid", "open", "cancelled"], [80, 10, 6, 4])[0]
            orders.append((number, self._regular(), pick.randint(1, 30), day.isoformat(), status))
            total = 0.0
            for _ in range(pick.randint(1, 4)):
                product, count = pick.randint(1, PRODUCTS), pick.randint(1, 12)
                price = float(str(prices[product]))
                total += count * price
                lines.append((len(lines) + 1, number, product, count, price))
                if status == "delivered" and pick.random() < 0.03:
                    reason = pick.choice(["broken", "too late", "wrong size", "尺寸不对", "包装破损"])
                    returns.append((len(returns) + 1, len(lines), self._after(day, 20), reason))
            if status in ("delivered", "paid"):
                method = pick.choice(["card", "transfer", "支付宝", "微信"])
                payments.append((len(payments) + 1, number, self._after(day, 14), round(total, 2), method))
            if status == "delivered":
                carrier = pick.choice(["Royal Mail", "DHL", "顺丰", "中通"])
                shipments.append((len(shipments) + 1, number, self._after(day, 6), carrier))
        self.tables |= {"orders": orders, "order_lines": lines, "payments": payments, "shipments": shipments,
                        "returns": returns}  # fmt: skip

    def _customer(self, number: int) -> tuple[object, ...]:
        city = self._random.randint(1, len(CITIES))
        return number, f"{self._company(city)} {number}", city, f"buyer{number}@example.com", self._day().isoformat()

    def _product(self, number: int) -> tuple[object, ...]:
        category = self._random.randint(1, len(CATEGORIES))
        thing = self._random.choice(THINGS[CATEGORIES[category - 1]])
        price = round(self._random.lognormvariate(2.8, 0.7), 2)
        return number, f"{thing} {100 + number}", price, category, self._random.randint(1, 24)

    def _company(self, city: int) -> str:
        if CITIES[city - 1][1] == "CN":
            return f"{CITIES[city - 1][0]}{self._random.choice(CHINESE[1])}{self._random.choice(TRADES_ZH)}"
        return f"{self._random.choice(SURNAMES)} {self._random.choice(TRADES)}"

    def _person(self, city: int) -> str:
        if CITIES[city - 1][1] == "CN":
            return "".join(self._random.choice(part) for part in CHINESE)
        return f"{self._random.choice(GIVEN)} {self._random.choice(SURNAMES)}"

    def _regular(self) -> int:
        """A customer; some of them buy far more often than others."""
        return int(CUSTOMERS * self._random.random() ** 3) + 1

    def _day(self) -> date:
        return date(2015, 1, 1) + timedelta(days=self._random.randrange(3600))

    def _busy_day(self) -> date:
        """A day of an order: there are more of them in November and December."""
        while True:
            day = FIRST + timedelta(days=self._random.randrange((LAST - FIRST).days + 1))
            if day.month >= 11 or self._random.random() < 0.6:
                return day

    def _after(self, day: date, most: int) -> str:
        return (day + timedelta(days=self._random.randint(1, most))).isoformat()


def write(file: Path) -> int:
    """Write the shop and return its number of rows. Replaces the file."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.unlink(missing_ok=True)
    tables = Shop().draw()
    with closing(sqlite3.connect(file)) as database, database:
        database.executescript(SCHEMA)
        for name, rows in tables.items():
            marks = ", ".join("?" * len(rows[0]))
            database.executemany(f"INSERT INTO {name} VALUES ({marks})", rows)  # noqa: S608 - names of this module
    return sum(len(rows) for rows in tables.values())


def add_source(file: Path, database: Path) -> None:
    """Name the database as the source "shop" in a file of sources, with its verified questions beside it."""
    write_sources(file, {**read_sources(file), "shop": source_of("shop", str(database))})
    questions_file(file, "shop").write_bytes(Path(__file__).with_name("shop.questions.yaml").read_bytes())


def add(database: Path) -> int:
    """Write the shop, make it the user's source "shop", and return its number of rows."""
    count = write(database)
    add_source(SourceSettings().file, database)
    return count
