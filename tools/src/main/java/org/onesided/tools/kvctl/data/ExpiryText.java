package org.onesided.tools.kvctl.data;

import java.time.Duration;
import org.onesided.client.types.Expiry;
import org.onesided.tools.settings.LifeTime;
import picocli.CommandLine.ITypeConverter;

/**
 * Reads when a key is to expire: a time such as {@code 10m}, or {@code never}.
 */
final class ExpiryText implements ITypeConverter<Expiry>
{
    @Override
    public Expiry convert(final String text)
    {
        final Duration ttl = LifeTime.orNever(text);
        return ttl == null ? Expiry.NEVER : Expiry.after(ttl);
    }
}
