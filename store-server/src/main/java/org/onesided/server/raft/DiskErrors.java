package org.onesided.server.raft;

import java.io.IOException;
import java.util.Locale;

/**
 * Tells a disk that is full from one that fails. Java gives only the operating system's words.
 */
final class DiskErrors
{
    private static final int MOST_CAUSES = 16;

    private DiskErrors()
    {
    }

    /** Whether there was no room, or no quota: it may go on when there is. */
    static boolean isNoRoom(final Throwable failure)
    {
        Throwable cause = failure;
        for (int i = 0; i < MOST_CAUSES && cause != null; i++, cause = cause.getCause())
        {
            final String message = String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT);
            if (cause instanceof IOException &&
                (message.contains("no space left on device") || message.contains("quota exceeded")))
            {
                return true;
            }
        }
        return false;
    }

    /** Whether the operating system reported an error of a file. */
    static boolean isOfDisk(final Throwable failure)
    {
        return innermost(failure) instanceof IOException;
    }

    private static Throwable innermost(final Throwable failure)
    {
        Throwable cause = failure;
        for (int i = 0; i < MOST_CAUSES && cause.getCause() != null; i++)
        {
            cause = cause.getCause();
        }
        return cause;
    }

    /** The words of the innermost cause, in one line. */
    static String reason(final Throwable failure)
    {
        final Throwable cause = innermost(failure);
        final String message = cause.getMessage();
        final String text = message == null || message.isBlank() ? cause.getClass().getSimpleName() : message;
        return text.lines().findFirst().orElse(text);
    }
}
