package org.onesided.tools.kvctl.command;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.onesided.client.exceptions.StoreAccessException;
import org.onesided.client.exceptions.StoreBatchException;
import org.onesided.client.exceptions.StoreConflictException;
import org.onesided.client.exceptions.StoreConnectException;
import org.onesided.client.exceptions.StoreDeadlineException;
import org.onesided.client.exceptions.StoreDisconnectedException;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.exceptions.StoreFullException;
import org.onesided.client.exceptions.StoreLimitException;
import org.onesided.client.exceptions.StoreReadOnlyException;
import org.onesided.client.exceptions.StoreStorageException;
import org.onesided.client.exceptions.StoreValueException;
import org.onesided.client.exceptions.WriteFate;
import org.onesided.tools.kvctl.console.CommandException;
import org.onesided.tools.kvctl.console.ExitCode;
import org.onesided.tools.kvctl.console.FileMessages;
import org.onesided.tools.kvctl.console.StandardOutput;
import org.onesided.tools.kvctl.console.Surroundings;
import org.onesided.tools.kvctl.console.Text;
import org.onesided.tools.settings.BrokenSettingException;
import org.onesided.verbs.Errno;
import org.onesided.verbs.VerbsException;

/**
 * Turns a failure into an exit code and one line on standard error.
 */
public final class Failures
{
    private Failures()
    {
    }

    /**
     * Finds the exit code of a failure.
     *
     * @param e exception of the library.
     * @return the exit code.
     */
    public static ExitCode exitCode(final StoreException e)
    {
        if (e instanceof StoreBatchException)
        {
            return exitCode((StoreException)e.getCause());
        }
        if (e.getCause() instanceof VerbsException && isWrongDeviceName((VerbsException)e.getCause()))
        {
            return ExitCode.USAGE;
        }
        if (e instanceof StoreConnectException || e instanceof StoreAccessException)
        {
            return ExitCode.CANNOT_CONNECT;
        }
        if (e instanceof StoreDeadlineException || e.writeFate() == WriteFate.UNKNOWN)
        {
            return ExitCode.DEADLINE;
        }
        if (e instanceof StoreDisconnectedException)
        {
            return ExitCode.CANNOT_CONNECT;
        }
        if (e instanceof StoreReadOnlyException)
        {
            return ExitCode.READ_ONLY;
        }
        if (e instanceof StoreFullException)
        {
            return ExitCode.STORE_FULL;
        }
        if (e instanceof StoreStorageException)
        {
            return ExitCode.STORAGE_FAILED;
        }
        if (e instanceof StoreConflictException || e instanceof StoreValueException)
        {
            return ExitCode.CONFLICT;
        }
        if (e instanceof StoreLimitException)
        {
            return ExitCode.USAGE;
        }
        return ExitCode.FAILED;
    }

    /**
     * Whether a device name is invalid, as opposed to a device that is missing or unusable.
     *
     * @param e exception of a device.
     * @return whether the name is the reason.
     */
    public static boolean isWrongDeviceName(final VerbsException e)
    {
        return e.errno() == Errno.EINVAL && "get_device_list".equals(e.verb());
    }

    /**
     * The message for an invalid device name.
     *
     * @param source of the name: an option or a variable.
     * @param e      with the names of the devices.
     * @return the message.
     */
    public static String wrongDevice(final String source, final VerbsException e)
    {
        final String message = e.getMessage();
        return "invalid value for " + source + ": " + message.substring(Math.max(0, message.indexOf("no such device")));
    }

    /**
     * Reports a failure.
     *
     * @param failure      to report.
     * @param command      that failed, such as {@code kvctl get}.
     * @param surroundings with the standard error.
     * @param isVerbose    whether to show the stack trace.
     * @return the exit code.
     */
    public static ExitCode report(
        final Throwable failure, final String command, final Surroundings surroundings, final boolean isVerbose)
    {
        if (isReaderGone(failure))
        {
            return ExitCode.DONE;
        }
        final ExitCode exitCode;
        final String message;
        if (failure instanceof CommandException)
        {
            exitCode = ((CommandException)failure).exitCode();
            message = failure.getMessage();
        }
        else if (failure instanceof BrokenSettingException)
        {
            exitCode = ExitCode.USAGE;
            message = failure.getMessage();
        }
        else if (failure instanceof StoreException)
        {
            exitCode = exitCode((StoreException)failure);
            message = failure.getMessage();
        }
        else if (failure instanceof OutOfMemoryError)
        {
            exitCode = ExitCode.FAILED;
            message = "out of memory: " + failure.getMessage() + "; give Java more: KVCTL_JAVA_OPTS=-Xmx2g";
        }
        else
        {
            exitCode = ExitCode.FAILED;
            message = describe(failure) + "; --verbose shows where";
        }
        surroundings.err().println(command + ": " + Text.oneLine(withoutCommand(message, command)));
        // A command that ends with its own message, such as a missing key, has no cause to show.
        final Throwable hidden = failure instanceof CommandException ? failure.getCause() : failure;
        if (isVerbose && hidden != null)
        {
            hidden.printStackTrace(surroundings.err());
        }
        return exitCode;
    }

    /** Messages of the library begin with the operation, which the command already names. */
    private static String withoutCommand(final String message, final String command)
    {
        final String operation = command.substring(command.lastIndexOf(' ') + 1) + ": ";
        return message != null && message.startsWith(operation) ? message.substring(operation.length()) : message;
    }

    private static String describe(final Throwable failure)
    {
        final Throwable told = failure instanceof UncheckedIOException ? failure.getCause() : failure;
        if (told instanceof IOException)
        {
            return FileMessages.reason((IOException)told);
        }
        final String name = told.getClass().getSimpleName();
        return told.getMessage() == null ? "unexpected " + name : told.getMessage() + " (" + name + ")";
    }

    private static boolean isReaderGone(final Throwable failure)
    {
        return failure instanceof StandardOutput.ReaderGoneException ||
            failure instanceof UncheckedIOException &&
                failure.getCause() instanceof StandardOutput.ReaderGoneException;
    }
}
