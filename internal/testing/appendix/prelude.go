package appendix

// Prelude declares what the sources of appendix A use, as far as they do: OpenSSL's headers
// are not printed there. What errno is kept in is the program's own.
const Prelude = `typedef long time_t;
typedef struct buf_mem { int length; } BUF_MEM;
typedef struct bio BIO;
typedef struct evp_pkey EVP_PKEY;
typedef struct ssl SSL;
struct cipher { unsigned long algorithms, algo_strength; };
struct compression { int id; };
struct digest { int sum; };
struct enc {
	int (*setup_key_block)(SSL *);
	int (*change_cipher_state)(SSL *, int);
	int (*cert_verify_mac)(SSL *, struct digest *, unsigned char *);
	char const *client_finished_label, *server_finished_label;
	int client_finished_label_len, server_finished_label_len;
};
struct method { struct enc *ssl3_enc; };
struct cert { struct { EVP_PKEY *privatekey; } pkeys[5]; };
struct session { void *peer; struct cipher *cipher; int compress_meth; };
struct ctx {
	void (*info_callback)();
	struct { int sess_connect, sess_connect_renegotiate, sess_connect_good, sess_accept, sess_accept_renegotiate, sess_accept_good, sess_hit; } stats;
};
struct ssl3 {
	long flags;
	int change_cipher_spec, delay_buf_pop_ret;
	struct digest finish_dgst1, finish_dgst2;
	struct {
		int next_state, use_rsa_tmp, cert_request, cert_req, reuse_message;
		struct cipher *new_cipher;
		struct compression *new_compression;
		unsigned char cert_verify_md[32];
	} tmp;
};
struct ssl {
	int version, type, state, rwstate, in_handshake, new_session, server, shutdown, hit, debug, verify_mode, init_num;
	unsigned long options;
	void (*info_callback)();
	int (*handshake_func)();
	struct method *method;
	BIO *wbio, *bbio;
	BUF_MEM *init_buf;
	struct ssl3 *s3;
	struct cert *cert;
	struct session *session;
	struct ctx *ctx;
};
extern time_t time(time_t *);
extern void RAND_add(void const *, int, double);
extern void ERR_clear_error(void);
static int error_number; /* of each process */
int *__errno_location(void) { return &error_number; }
extern int SSL_state(SSL *);
extern int SSL_clear(SSL *);
extern void ERR_put_error(int, int, int, char const *, int);
extern BUF_MEM *BUF_MEM_new(void);
extern int BUF_MEM_grow(BUF_MEM *, int);
extern void BUF_MEM_free(BUF_MEM *);
extern int ssl3_setup_buffers(SSL *);
extern int ssl_init_wbio_buffer(SSL *, int);
extern void ssl_free_wbio_buffer(SSL *);
extern void ssl3_init_finished_mac(SSL *);
extern void ssl3_cleanup_key_block(SSL *);
extern void ssl_update_cache(SSL *, int);
extern int EVP_PKEY_size(EVP_PKEY *);
extern long BIO_ctrl(BIO *, int, long, void *);
extern BIO *BIO_push(BIO *, BIO *);
extern int ssl3_check_cert_and_algorithm(SSL *);
extern int ssl3_send_hello_request(SSL *), ssl3_get_client_hello(SSL *), ssl3_send_server_hello(SSL *);
extern int ssl3_send_server_certificate(SSL *), ssl3_send_server_key_exchange(SSL *), ssl3_send_certificate_request(SSL *);
extern int ssl3_send_server_done(SSL *), ssl3_check_client_hello(SSL *), ssl3_get_client_certificate(SSL *);
extern int ssl3_get_client_key_exchange(SSL *), ssl3_get_cert_verify(SSL *), ssl3_get_finished(SSL *, int, int);
extern int ssl3_send_change_cipher_spec(SSL *, int, int), ssl3_send_finished(SSL *, int, int, char const *, int);
extern int ssl3_client_hello(SSL *), ssl3_get_server_hello(SSL *), ssl3_get_server_certificate(SSL *), ssl3_get_key_exchange(SSL *);
extern int ssl3_get_certificate_request(SSL *), ssl3_get_server_done(SSL *), ssl3_send_client_certificate(SSL *);
extern int ssl3_send_client_key_exchange(SSL *), ssl3_send_client_verify(SSL *);
`
