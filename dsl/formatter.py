from dsl.source import Source
def format_source(source: Source) -> str:
    return source.text
