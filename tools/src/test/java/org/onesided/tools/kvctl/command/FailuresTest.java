package org.onesided.tools.kvctl.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.onesided.client.exceptions.FailureContext;
import org.onesided.client.exceptions.StoreBatchException;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.exceptions.StoreStorageException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.console.Surroundings;

class FailuresTest
{
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final Surroundings surroundings = new Surroundings(
        new ByteArrayInputStream(new byte[0]), new ByteArrayOutputStream(), new PrintStream(err, true, UTF_8),
        Map.of(), false, false, false);

    @Test
    void shouldShowNoTraceOfAMessageThatSaysAll()
    {
        final ExitCode exitCode = Failures.report(
            new CommandException(ExitCode.NOT_FOUND, "not found: greeting"), "kvctl get", surroundings, true);

        assertEquals(ExitCode.NOT_FOUND, exitCode);
        assertEquals("kvctl get: not found: greeting\n", err.toString(UTF_8));
    }

    @Test
    void shouldShowWhereAFailureComesFromWhenAsked()
    {
        final IOException cause = new IOException("broken pipe");
        Failures.report(
            new CommandException(ExitCode.FAILED, "cannot write", cause), "kvctl get", surroundings, true);

        assertTrue(
            err.toString(UTF_8).startsWith("kvctl get: cannot write\njava.io.IOException: broken pipe\n\tat "),
            err.toString(UTF_8));
    }

    /** A script that tells a full disk from a full store also sees it through a batch. */
    @Test
    void shouldHaveACodeForTheServersDisk()
    {
        final FailureContext context = new FailureContext("put", "k", "host:1", WriteFate.NOT_APPLIED);
        final StoreException failure = new StoreStorageException("disk is full", context);
        final StoreException batch =
            new StoreBatchException("only a part was put", context, failure, new WriteFate[] {WriteFate.NOT_APPLIED});

        assertEquals(8, Failures.exitCode(failure).code());
        assertEquals(ExitCode.STORAGE_FAILED, Failures.exitCode(batch));
    }

    @Test
    void shouldTellTheOperationOnce()
    {
        Failures.report(
            new CommandException(ExitCode.DEADLINE, "put: no answer: deadline=1s"), "kvctl put", surroundings, false);

        assertEquals("kvctl put: no answer: deadline=1s\n", err.toString(UTF_8));
    }
}
