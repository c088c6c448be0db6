package org.onesided.documentation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PageTest
{
    @TempDir
    private Path directory;

    @Test
    void shouldFindCommandsAndWhatTheyPrint() throws Exception
    {
        final List<ShownCommand> commands = commands(
            "```", "$ ./kvctl shell", "127.0.0.1:19875> get k", "v", "", "$ echo $?   # of it", "0", "```");

        assertEquals(List.of("./kvctl shell", "echo $?"), commands.stream().map(ShownCommand::name).toList());
        assertEquals(List.of("get k"), commands.get(0).typed());
        assertEquals(List.of("v"), commands.get(0).output());
        assertEquals(List.of("0"), commands.get(1).output());
    }

    @Test
    void shouldFindCommandsOfScriptsAndHostsAndThoseWithoutPrompt() throws Exception
    {
        assertEquals(2, commands("```sh", "first \\", "    --more", "", "# nothing", "second", "```").size());
        assertEquals(1, commands("```sh", "function()", "{", "    first", "}", "```").size());
        final List<ShownCommand> two = commands("```", "host1$ first      host2$ second", "```");
        assertEquals(List.of("first", "second"), two.stream().map(ShownCommand::name).toList());
        assertEquals("host1", two.get(0).host());
        assertEquals(1, commands("```text", "tests/run benchmark --quick", "something else", "```").size());
    }

    @Test
    void shouldRefuseCommandsWithoutAFence()
    {
        assertThrows(IllegalArgumentException.class, () -> commands("So:", "", "    ./kvctl stats"));
    }

    @Test
    void shouldFindCodeWithinSentences() throws Exception
    {
        final Page page = page(
            "# It's `so`: a b", "`kvctl server --spin a\\|b` or [this](x.md#y)", "```", "`no`", "```");

        assertEquals(List.of("so", "kvctl server --spin a|b"), page.code());
        assertEquals(List.of("x.md#y"), page.links());
        assertEquals(List.of("its-so-a-b"), page.anchors());
    }

    private List<ShownCommand> commands(final String... lines) throws Exception
    {
        return page(lines).blocks().stream().flatMap(List::stream).toList();
    }

    private Page page(final String... lines) throws Exception
    {
        return Page.of(Files.write(directory.resolve("page.md"), List.of(lines)));
    }
}
