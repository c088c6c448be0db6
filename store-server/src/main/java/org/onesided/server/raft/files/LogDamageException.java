package org.onesided.server.raft.files;

import java.io.IOException;

/**
 * A log's files are not as a crash can leave them. The message is one line, with file, offset and index of the entry,
 * and with the way out.
 */
public final class LogDamageException extends IOException
{
    private static final long serialVersionUID = 1;

    LogDamageException(final String message)
    {
        super(message);
    }
}
