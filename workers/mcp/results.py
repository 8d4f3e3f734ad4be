"""What an MCP server answered -> what LangChain makes of it for the model, by its own adapter."""

import asyncio
import json
from typing import Any

from langchain_core.messages.content import create_text_block
from langchain_core.tools import StructuredTool, ToolException
from langchain_mcp_adapters.interceptors import MCPToolCallRequest
from langchain_mcp_adapters.tools import convert_mcp_tool_to_langchain_tool
from mcp.types import AudioContent, CallToolResult, ContentBlock, TextContent, Tool

NO_WORDS = "The server says that it failed, and not why."


def content_of(result: CallToolResult) -> tuple[list[Any], Any]:
    """Content blocks, and what is structured as the artifact beside them. Raises ToolException where the server says
    that the call failed."""
    if result.isError:
        said = "\n".join(block.text for block in result.content if isinstance(block, TextContent))
        raise ToolException(said or NO_WORDS)
    content, artifact = asyncio.run(_by_the_adapter(result))
    if not content and artifact:
        # The model is shown the content only.
        content = [create_text_block(text=json.dumps(artifact["structured_content"], ensure_ascii=False))]
    return content, artifact


async def _by_the_adapter(result: CallToolResult) -> tuple[list[Any], Any]:
    content, unread = list[Any](), 0
    for block in result.content:
        try:
            content += (await _converted(result.model_copy(update={"content": [carried(block)]})))[0]
        except Exception:  # noqa: BLE001 - the call has had its effect by now, and must not fail here
            unread += 1
    if unread:
        content.append(create_text_block(text=f"({unread} of {len(result.content)} parts could not be read)"))
    _, artifact = await _converted(result.model_copy(update={"content": []}))
    return content, artifact


async def _converted(told: CallToolResult) -> tuple[list[Any], Any]:
    async def answer(request: MCPToolCallRequest, handler: object) -> CallToolResult:
        return told

    # Its conversion has no name of its own; the tool that it makes does nothing but convert this answer.
    tool = convert_mcp_tool_to_langchain_tool(
        None,
        Tool(name="answer", inputSchema={"type": "object"}),
        connection={"transport": "stdio", "command": "", "args": []},
        tool_interceptors=[answer],
    )
    assert isinstance(tool, StructuredTool)  # noqa: S101
    assert tool.coroutine is not None  # noqa: S101
    content, artifact = await tool.coroutine()
    return list(content), artifact


def carried(block: ContentBlock) -> ContentBlock:
    """What the adapter cannot carry is said in words."""
    if isinstance(block, AudioContent):
        return TextContent(type="text", text=f"(a sound, {block.mimeType}, which is not passed on)")
    return block
