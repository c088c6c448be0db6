package org.onesided.documentation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import org.junit.jupiter.api.Test;

class ShellCallTest
{
    @Test
    void shouldFindTheCallsOfALine()
    {
        assertEquals(
            List.of(List.of("gzip", "-c", "notes.txt"), List.of("./kvctl", "put", "notes", "-")),
            words("gzip -c notes.txt | ./kvctl put notes -   # the value"));
        assertEquals(List.of(List.of("source"), List.of("kvctl", "completion", "bash")),
            words("source <(kvctl completion bash)"));
        assertEquals(List.of(List.of("./check"), List.of("echo", "a b", "#c", "")),
            words("CHECK_VM=no ./check 2>log && echo 'a b' \"#c\" '' > file"));
        assertEquals(List.of(List.of("docker", "run", "-v", "a:b", "image")), words("docker run \\\n    -v a:b image"));
    }

    @Test
    void shouldFindKvctlBehindAnotherProgram()
    {
        assertEquals(List.of("get", "k"), kvctl("docker exec store /opt/onesided/kvctl get k"));
        assertEquals(List.of("rdma"), kvctl("tests/vm/run-in-vm -- ./kvctl rdma"));
        assertNull(kvctl("cp kvctl folder"));
        assertNull(kvctl("man -M tools/target/man kvctl-get"));
    }

    @Test
    void shouldLeaveCommentsOut()
    {
        assertEquals("./kvctl put k '#v' \necho b", ShellCall.withoutComments("./kvctl put k '#v' # c # d\necho b"));
    }

    private static List<List<String>> words(final String line)
    {
        return ShellCall.of(line).stream().map(ShellCall::words).toList();
    }

    private static List<String> kvctl(final String line)
    {
        return ShellCall.of(line).get(0).kvctlArguments();
    }
}
