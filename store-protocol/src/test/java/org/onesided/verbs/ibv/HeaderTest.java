package org.onesided.verbs.ibv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compares the layouts and numbers known here with {@code infiniband/verbs.h}, by a C program of static assertions that
 * a compiler checks.
 */
class HeaderTest
{
    private static final Pattern FAILED = Pattern.compile("static assertion failed: \"([^\"]*)\"");
    private static final String INCLUDES = "#include <stddef.h>\n#include <infiniband/verbs.h>\n";

    /** Searched last, so that a cross compiler's own headers go first. */
    private static final List<String> OPTIONS = List.of("-std=gnu11", "-idirafter", "/usr/include", "-fsyntax-only");

    @TempDir
    Path directory;

    @Test
    void shouldAgreeWithTheHeaderOnThisMachine() throws Exception
    {
        assertAgreed("gcc");
    }

    @Test
    void shouldAgreeWithTheHeaderOnAarch64() throws Exception
    {
        assertAgreed("aarch64-linux-gnu-gcc");
    }

    @Test
    void shouldTellWhichConstantIsWrong() throws Exception
    {
        assumeCompiler("gcc");
        final List<HeaderFacts.Fact> facts = new ArrayList<>(HeaderFacts.all());
        final List<String> wrong = List.of("QueuePairDescriptor.QP_NUM_OFFSET", "Opcode.RDMA_READ", "Type.PORT_ERR");
        facts.replaceAll((fact) -> wrong.contains(fact.constant()) ?
            new HeaderFacts.Fact(fact.expression(), fact.value() + 4, fact.constant()) : fact);
        assertEquals(wrong, wrong("gcc", facts));
    }

    private void assertAgreed(final String compiler) throws Exception
    {
        assumeCompiler(compiler);
        final List<HeaderFacts.Fact> facts = HeaderFacts.all();
        assertTrue(facts.size() > 200, "facts=" + facts.size());
        assertEquals(List.of(), wrong(compiler, facts));
    }

    private List<String> wrong(final String compiler, final List<HeaderFacts.Fact> facts) throws Exception
    {
        final StringBuilder program = new StringBuilder(INCLUDES);
        facts.forEach((fact) -> program.append(fact.assertion()));
        final Output output = compile(compiler, program.toString());
        final List<String> wrong = new ArrayList<>();
        final Matcher matcher = FAILED.matcher(output.text());
        while (matcher.find())
        {
            wrong.add(matcher.group(1));
        }
        // Anything else that the compiler complains of, such as a field that the header does not have.
        assertEquals(!wrong.isEmpty(), output.exitCode() != 0, output.text());
        assertEquals(wrong.size(), output.text().split(": error: ", -1).length - 1, output.text());
        return wrong;
    }

    private void assumeCompiler(final String compiler) throws Exception
    {
        final String command = compiler + " with infiniband/verbs.h";
        Output output;
        try
        {
            output = compile(compiler, INCLUDES);
        }
        catch (final IOException ex)
        {
            output = new Output(1, ex.getMessage());
        }
        assumeTrue(output.exitCode() == 0, "skipped, there is no " + command +
            " (Debian: apt install gcc gcc-aarch64-linux-gnu libibverbs-dev): " + output.text());
    }

    private Output compile(final String compiler, final String program) throws IOException, InterruptedException
    {
        final Path file = directory.resolve("layout.c");
        Files.writeString(file, program);
        final List<String> command = new ArrayList<>(List.of(compiler));
        command.addAll(OPTIONS);
        command.add(file.toString());
        final ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("LC_ALL", "C");
        final Process process = builder.start();
        process.getOutputStream().close();
        final String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Output(process.waitFor(), text);
    }

    private record Output(int exitCode, String text)
    {
    }
}
