"""The sentences for documents that cannot be read: what is wrong and what to do, in English and Chinese."""

from __future__ import annotations

from bandsmith.shared.errors import BadInput

_SENTENCES = {
    "empty": (
        "The file is empty; save or upload it again.",
        "文件是空的;请重新保存或上传。",
    ),
    "suffix": (
        "Files of this kind cannot be read; give a picture (PNG, JPEG, WebP, BMP, TIFF), a PDF, a DOCX or an XLSX.",
        "不支持这种文件;请提供图片(PNG、JPEG、WebP、BMP、TIFF)、PDF、DOCX 或 XLSX。",
    ),
    "content": (
        "The file's content is not what its name says; save it again in the format that its suffix names.",
        "文件内容与扩展名不符;请按扩展名所示的格式重新保存。",
    ),
    "picture": (
        "The picture is broken or cut short; save or take it again.",
        "图片已损坏或不完整;请重新保存或拍摄。",
    ),
    "small": (
        "The picture is too small to show a form; give one of at least 32 by 32 pixels.",
        "图片太小,看不出表单;请提供至少 32×32 像素的图片。",
    ),
    "large": (
        "The picture is too large; scale it down to at most 100 million pixels.",
        "图片太大;请缩小到一亿像素以内。",
    ),
    "blank": (
        "The page is blank; give one that shows a form.",
        "页面是空白的;请提供有表单内容的页面。",
    ),
    "pdf": (
        "The PDF is broken; export it again.",
        "PDF 文件已损坏;请重新导出。",
    ),
    "password": (
        "The document is protected by a password; save it without one.",
        "文档有密码保护;请取消密码后重新保存。",
    ),
    "sheet": (
        "The page is larger than A0; scale it down.",
        "页面大于 A0;请缩小页面。",
    ),
    "office": (
        "The document is broken; open it in an office program and save it again.",
        "文档已损坏;请用办公软件打开后重新保存。",
    ),
    "bomb": (
        "The document unpacks to far more than an office document holds; it was not opened.",
        "文档解压后的大小异常;为安全起见没有打开。",
    ),
    "entity": (
        "The document's XML declares a DTD or entities, which office documents never need; it was not opened.",
        "文档的 XML 中声明了 DTD 或实体,正常的办公文档不需要它们;为安全起见没有打开。",
    ),
}


def refusal(reason: str) -> BadInput:
    """The error for one of the reasons above; the reason is its code."""
    message, message_zh = _SENTENCES[reason]
    return BadInput(message, message_zh=message_zh, code=reason)
