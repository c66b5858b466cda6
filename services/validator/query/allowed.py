"""What a query may consist of: classes of sqlglot's syntax tree, functions by name, and types of casts.

Anything else is refused: functions that read files, sleep, reach the network or the server's state, table functions,
system variables, hints, locks, and all that does more than read. A construct that is missing here costs a refusal with
its name; one that is here by mistake costs more.
"""

from __future__ import annotations

from sqlglot import exp

STRUCTURE: frozenset[type[exp.Expr]] = frozenset({
    exp.Select, exp.From, exp.Join, exp.Where, exp.Group, exp.Having, exp.Order, exp.Ordered, exp.Limit, exp.Offset,
    exp.Fetch, exp.Subquery, exp.Table, exp.TableAlias, exp.Alias, exp.Column, exp.Identifier, exp.Star, exp.Literal,
    exp.Boolean, exp.Null, exp.Paren, exp.Tuple, exp.Distinct, exp.Union, exp.Intersect, exp.Except, exp.CTE, exp.With,
    exp.Values, exp.Case, exp.If, exp.Interval, exp.Var, exp.Window, exp.WindowSpec, exp.Filter, exp.WithinGroup,
    exp.Cube, exp.Rollup, exp.GroupingSets, exp.Qualify, exp.DataTypeParam, exp.Escape, exp.All, exp.Any, exp.Collate,
})  # fmt: skip
"""What holds a query together."""
OPERATORS: frozenset[type[exp.Expr]] = frozenset({
    exp.And, exp.Or, exp.Not, exp.Xor, exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Is, exp.In, exp.Between,
    exp.Like, exp.ILike, exp.Exists, exp.Add, exp.Sub, exp.Mul, exp.Div, exp.IntDiv, exp.Mod, exp.Neg, exp.DPipe,
    exp.NullSafeEQ, exp.NullSafeNEQ,
})  # fmt: skip
FUNCTIONS: frozenset[type[exp.Expr]] = frozenset({
    # aggregates and windows
    exp.Count, exp.Sum, exp.Avg, exp.Min, exp.Max, exp.GroupConcat, exp.Stddev, exp.StddevPop, exp.StddevSamp,
    exp.Variance, exp.VariancePop, exp.Median, exp.PercentileCont, exp.PercentileDisc, exp.Quantile, exp.Mode,
    exp.RowNumber, exp.Rank, exp.DenseRank, exp.PercentRank, exp.CumeDist, exp.Ntile, exp.Lag, exp.Lead,
    exp.FirstValue, exp.LastValue, exp.NthValue, exp.CountIf, exp.Corr, exp.LogicalAnd, exp.LogicalOr, exp.ArgMax,
    exp.ArgMin,
    # numbers
    exp.Abs, exp.Round, exp.Ceil, exp.Floor, exp.Sqrt, exp.Pow, exp.Exp, exp.Ln, exp.Log, exp.Sign, exp.Greatest,
    exp.Least,
    # texts
    exp.Lower, exp.Upper, exp.Trim, exp.Length, exp.Substring, exp.Replace, exp.Concat, exp.ConcatWs, exp.Left,
    exp.Right, exp.StrPosition, exp.Initcap, exp.Reverse, exp.SplitPart,
    # dates
    exp.CurrentDate, exp.CurrentTime, exp.CurrentTimestamp, exp.Extract, exp.Year, exp.Month, exp.Day, exp.Quarter,
    exp.Week, exp.DayOfWeek, exp.DayOfMonth, exp.DayOfYear, exp.Date, exp.Timestamp, exp.TimeToStr, exp.StrToTime,
    exp.StrToDate, exp.TsOrDsToDate, exp.TsOrDsToTimestamp, exp.TsOrDsToTime, exp.DateAdd, exp.DateSub, exp.DateDiff,
    exp.DateTrunc, exp.TimestampTrunc, exp.TimestampDiff, exp.LastDay, exp.ToChar, exp.StrToUnix,
    # others
    exp.Coalesce, exp.Nullif, exp.Cast, exp.TryCast,
})  # fmt: skip
BY_NAME = frozenset((
    "julianday", "iif", "ifnull", "nullif", "strftime", "instr", "date", "datetime", "time", "total", "age",
    "date_part", "monthname", "dayname", "to_date", "make_date", "ltrim", "rtrim",
))  # fmt: skip
"""Functions that sqlglot has no class for."""
TYPES = frozenset({
    exp.DType.TINYINT, exp.DType.SMALLINT, exp.DType.INT, exp.DType.BIGINT, exp.DType.UBIGINT, exp.DType.FLOAT,
    exp.DType.DOUBLE, exp.DType.DECIMAL, exp.DType.BOOLEAN, exp.DType.CHAR, exp.DType.VARCHAR, exp.DType.NVARCHAR,
    exp.DType.TEXT, exp.DType.DATE, exp.DType.TIME, exp.DType.TIMESTAMP, exp.DType.TIMESTAMPTZ,
    exp.DType.TIMESTAMPNTZ, exp.DType.DATETIME, exp.DType.INTERVAL, exp.DType.UUID,
})  # fmt: skip
"""What a value may be cast to; a name of a table or a role (``regclass``) is none of them."""
MODIFIERS = ("hint", "operation_modifiers", "kind", "into", "locks", "sample", "pivots", "laterals", "connect", "match")
"""Arguments of a ``SELECT`` that are no nodes of the tree, or that no question needs."""
