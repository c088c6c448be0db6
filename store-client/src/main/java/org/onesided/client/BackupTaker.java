package org.onesided.client;

import java.io.IOException;
import java.io.OutputStream;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.onesided.client.bootstrap.AttachFailedException;
import org.onesided.client.bootstrap.BackupReceipt;
import org.onesided.client.bootstrap.BootstrapConnection;
import org.onesided.client.exceptions.FailureContext;
import org.onesided.client.exceptions.Operation;
import org.onesided.client.exceptions.StoreAccessException;
import org.onesided.client.exceptions.StoreConnectException;
import org.onesided.client.exceptions.StoreDisconnectedException;
import org.onesided.client.exceptions.StoreException;
import org.onesided.client.exceptions.StoreReadOnlyException;
import org.onesided.client.exceptions.StoreStorageException;
import org.onesided.client.session.ClientContext;
import org.onesided.client.types.BackupListener;

/**
 * Takes a backup over a connection of its own, without a session.
 */
final class BackupTaker
{
    private static final double PERMILLE = 1_000;

    private final ClientContext context;

    BackupTaker(final ClientContext context)
    {
        this.context = context;
    }

    /** As {@link StoreClient#backup}. */
    long take(final OutputStream to, final BackupListener listener) throws IOException
    {
        final FailureContext failure = FailureContext.unsent(Operation.BACKUP, context.addressText());
        final BootstrapConnection bootstrap = connect(failure);
        try
        {
            return copy(bootstrap.askBackup(context.configuration().token()), to, listener);
        }
        catch (final AttachFailedException e)
        {
            throw translate(e, failure);
        }
        finally
        {
            CloseHelper.quietClose(bootstrap);
        }
    }

    private BootstrapConnection connect(final FailureContext failure)
    {
        try
        {
            return new BootstrapConnection(
                context.address(), context.configuration().tls(),
                System.nanoTime() + context.configuration().deadlineNs(), null);
        }
        catch (final AttachFailedException e)
        {
            throw e.toStoreException(failure);
        }
    }

    private static long copy(final BackupReceipt receipt, final OutputStream to, final BackupListener listener)
        throws AttachFailedException, IOException
    {
        long received = 0;
        byte[] bytes = {};
        while (receipt.next())
        {
            final DirectBuffer part = receipt.part();
            if (part != null)
            {
                bytes = bytes.length < part.capacity() ? new byte[part.capacity()] : bytes;
                part.getBytes(0, bytes, 0, part.capacity());
                to.write(bytes, 0, part.capacity());
                received += part.capacity();
            }
            listener.onProgress(receipt.permille() / PERMILLE, received, receipt.length());
        }
        return received;
    }

    private static StoreException translate(final AttachFailedException e, final FailureContext failure)
    {
        return switch (e.kind())
        {
            case CREDENTIALS -> new StoreAccessException(e.getMessage(), failure, e);
            case READ_ONLY -> new StoreReadOnlyException(e.getMessage(), failure, e);
            case BACKUP -> new StoreStorageException(e.getMessage(), failure, e);
            case CLOSED, TRANSIENT, INTERRUPTED -> new StoreDisconnectedException(
                "server was lost before the backup was complete, take another (" + e.getMessage() + ')', failure, e);
            default -> new StoreConnectException(e.getMessage(), failure, e);
        };
    }
}
