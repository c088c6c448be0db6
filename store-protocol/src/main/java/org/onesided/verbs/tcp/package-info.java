/**
 * The tcp device: iWARP's protocols in user space, MPA (RFC 5044 and 6581), DDP (RFC 5041) and RDMAP (RFC 5040), over
 * any network.
 */
package org.onesided.verbs.tcp;
