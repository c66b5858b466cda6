"""Stop words: words and punctuation that are not searched, because they say nothing about a text's subject."""

_WORDS = """
a an the this that these those it its i me my we our you your he she they is are was were be been am do does did has
have had can could should would will shall may might must of to in on at for from by with without into about as and or
not no if then than so but what which who when where why how there here please tell want need let us make get give use
using between more one any all some way thing work mean s t
的 了 是 在 和 与 或 及 并 也 都 就 还 又 而 但 把 被 给 对 从 到 以 为 于 之 之间 里 中 上 下 个 一个 一 这
那 这个 那个 这些 那些 我 我们 你 你们 您 他 它 请 请问 吗 呢 吧 啊 怎么 怎样 怎么样 怎么办 如何 什么 为什么 哪 哪个
哪些 哪里 有 没有 要 想 能 会 可以 应该 需要 让 使 用 使用 做 办 不 不能 时 时候 一下 告诉 知道 意思 有关 关于
"""
_MARKS = "。，、；：？！“”‘’（）《》【】…—·~,.;:?!\"'()[]{}<>/\\|-_=+*&^%#@`$￥"

STOP_WORDS = [*_WORDS.split(), *_MARKS]
